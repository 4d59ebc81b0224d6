// Cases of what the interface document itself promises, by its sections.
import {
	add,
	type Case,
	contract,
	get,
	given,
	missingPet,
	oneStep,
	statuses,
} from "../case.ts";

/** Bodies that lack a required field or have an invalid value. */
const invalidBodies: readonly [what: string, body: string][] = [
	["a body without name", '{"categoryId":1}'],
	["a body without categoryId", '{"name":"Rex"}'],
	["an empty object", "{}"],
	["a name that is a number", '{"name":1,"categoryId":1}'],
	["a name that is null", '{"name":null,"categoryId":1}'],
	["a name that is an object", '{"name":{},"categoryId":1}'],
	["a categoryId that is a string", '{"name":"Rex","categoryId":"1"}'],
	["a categoryId that is a fraction", '{"name":"Rex","categoryId":1.5}'],
	["a categoryId that is null", '{"name":"Rex","categoryId":null}'],
	["a categoryId that is a boolean", '{"name":"Rex","categoryId":true}'],
	[
		"a status of none of the three",
		'{"name":"Rex","categoryId":1,"status":"lost"}',
	],
	["a status in capitals", '{"name":"Rex","categoryId":1,"status":"SOLD"}'],
	["a status that is a number", '{"name":"Rex","categoryId":1,"status":1}'],
	["an array", '[{"name":"Rex","categoryId":1}]'],
	["text that is not JSON", '{"name":'],
];

/** Names that careless stores trim, normalise, escape or cut. */
const names = [
	"  padded\\t",
	"e\u0301 is not \u00e9",
	"\ufb01",
	"\u{1f600} \u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
	"'; DROP TABLE pets; --",
	"<script>alert(1)</script> &amp;",
	"%00 %s {{x}} \\\\",
];

const operations = [
	["listPets", get("/pets")],
	["createPet", add()],
	["getPet", get("/pets/1")],
] as const;

/** Each is wrong in its own way, so that a store that accepts one is found. */
const invalidKeys: readonly [what: string, authorization: string][] = [
	["an invalid key", "Bearer not-a-key-of-this-service"],
	["a key that only begins with the valid one", "Bearer %-x"],
	["the key in another scheme than Bearer", "Basic %"],
];

const badRequest = { status: 400, error: true } as const;
const unauthenticated = { status: 401, error: true } as const;
const notFound = { status: 404, error: true } as const;
const json = { "Content-Type": /^application\/json\b/i };

const kept = contract(
	"1",
	"Lists and gets return the animals that were added.",
);
const isJson = contract(
	"1",
	"Requests and replies are JSON (`application/json`).",
);
const int64 = contract("2", "An int64 is a whole number … Every digit counts.");
const petStatus = contract(
	"2",
	"PetStatus: one of the strings `available`, `pending` and `sold`.",
);
const pet = contract("2", "Pet: It has the fields of NewPet, and: `id`");
const id = contract(
	"2",
	"`id` | Unique. The service assigns it when the animal is added.",
);
const limit = contract(
	"4.1",
	"`limit` | Maximum number of animals in the reply",
);
const status = contract("4.1", "`status` | Only animals with this status.");
const found = contract("4.3", "`200` | Pet | Success.");
const missing = contract("4.3", "`404` | Error | No animal has this id.");
const refused = contract(
	"5",
	"If the key is missing or invalid, the reply is `401` with an Error, and nothing is added.",
);
const errors = contract(
	"7",
	"Every error reply has an Error as its body, and its `status` is the HTTP status.",
);

export const documentCases: readonly Case[] = [
	{
		rule: kept,
		name: "an animal that was added is in the list and can be read by its id",
		steps: [
			given("rex"),
			{
				request: get("/pets?limit=100"),
				expect: { status: 200, pets: { has: ["{rex.id}"], fullAt: 100 } },
			},
			{
				request: get("/pets/{rex.id}"),
				expect: {
					status: 200,
					pet: { id: "{rex.id}", name: "Rex", categoryId: "1" },
				},
			},
		],
	},
	...(
		[
			["a list", get("/pets"), 200],
			["an animal that was added", add(), 201],
			["a 400", add("{}"), 400],
			["a 401", { path: "/pets", key: "none" }, 401],
			["a 404", get(missingPet), 404],
		] as const
	).map(([what, request, status]) =>
		oneStep(isJson, `${what} is sent as application/json`, request, {
			status,
			headers: json,
		}),
	),

	...statuses.map((status) =>
		oneStep(
			petStatus,
			`createPet accepts and returns the status ${status}`,
			add(`{"name":"Rex","categoryId":1,"status":"${status}"}`),
			{ status: 201, pet: { status } },
		),
	),
	oneStep(
		pet,
		"a Pet has all fields of the NewPet and an id",
		add('{"name":"Rex the Third","categoryId":42,"status":"sold"}'),
		{
			status: 201,
			pet: { name: "Rex the Third", categoryId: "42", status: "sold" },
		},
	),
	...names.map(
		(name): Case => ({
			rule: pet,
			name: `the name "${name}" comes back unchanged`,
			steps: [
				{
					request: add(`{"name":"${name}","categoryId":1}`),
					expect: { status: 201, pet: { name: JSON.parse(`"${name}"`) } },
					save: "rex",
				},
				{
					request: get("/pets/{rex.id}"),
					expect: { status: 200, pet: { name: JSON.parse(`"${name}"`) } },
				},
			],
		}),
	),
	{
		rule: id,
		name: "two animals have different ids",
		steps: [
			given("first", '{"name":"First","categoryId":1}'),
			given("second", '{"name":"Second","categoryId":1}'),
			{
				request: get("/pets/{first.id}"),
				expect: { status: 200, pet: { id: "{first.id}", name: "First" } },
			},
			{
				request: get("/pets/{second.id}"),
				expect: { status: 200, pet: { id: "{second.id}", name: "Second" } },
			},
		],
	},
	...["9007199254740993", "9223372036854775807", "-9223372036854775808"].map(
		(categoryId): Case => ({
			rule: int64,
			name: `the categoryId ${categoryId} is returned with all its digits`,
			steps: [
				{
					request: add(`{"name":"Rex","categoryId":${categoryId}}`),
					expect: { status: 201, pet: { categoryId } },
					save: "rex",
				},
				{
					request: get("/pets/{rex.id}"),
					expect: { status: 200, pet: { categoryId } },
				},
			],
		}),
	),
	oneStep(
		contract(
			"3",
			"The status of an animal is `available`, `pending` or `sold`.",
		),
		"an animal that was added without a status has one of the three, or none",
		add(),
		{ status: 201, pet: {} },
	),

	oneStep(
		contract("4.1", "`200` | Pets | Success."),
		"GET /pets answers 200 with an array of Pet",
		get("/pets?limit=100"),
		{ status: 200, pets: {} },
	),
	{
		rule: limit,
		name: "limit is the maximum number of animals returned",
		steps: [
			given("a"),
			given("b"),
			{
				request: get("/pets?limit=1"),
				expect: { status: 200, pets: { exactly: 1 } },
			},
			{
				request: get("/pets?limit=2"),
				expect: { status: 200, pets: { exactly: 2 } },
			},
		],
	},
	...statuses.map(
		(one): Case => ({
			rule: status,
			name: `status=${one} lists only animals with this status`,
			steps: [
				given("match", `{"name":"Rex","categoryId":1,"status":"${one}"}`),
				given(
					"other",
					`{"name":"Rex","categoryId":1,"status":"${one === "sold" ? "pending" : "sold"}"}`,
				),
				{
					request: get(`/pets?status=${one}&limit=100`),
					expect: {
						status: 200,
						pets: {
							status: one,
							has: ["{match.id}"],
							fullAt: 100,
							lacks: ["{other.id}"],
						},
					},
				},
			],
		}),
	),
	{
		rule: status,
		name: "limit and status can be combined",
		steps: [
			given("a", '{"name":"Rex","categoryId":1,"status":"pending"}'),
			given("b", '{"name":"Rex","categoryId":1,"status":"pending"}'),
			{
				request: get("/pets?limit=1&status=pending"),
				expect: { status: 200, pets: { exactly: 1, status: "pending" } },
			},
		],
	},

	oneStep(
		contract("4.2", "`201` | Pet | Success. The Pet has the assigned `id`."),
		"POST /pets answers 201 with the Pet",
		add(),
		{ status: 201, pet: { name: "Rex", categoryId: "1" } },
	),
	...invalidBodies.map(([what, body]) =>
		oneStep(
			contract("4.2", "`400` | Error | The body is not a NewPet"),
			`createPet answers 400 to ${what}`,
			add(body),
			badRequest,
		),
	),

	{
		rule: found,
		name: "GET /pets/{petId} answers 200 with the Pet, though it is deprecated",
		steps: [
			given("rex", '{"name":"Rex the Fourth","categoryId":7,"status":"sold"}'),
			{
				request: get("/pets/{rex.id}"),
				expect: {
					status: 200,
					pet: { id: "{rex.id}", name: "Rex the Fourth", categoryId: "7" },
				},
			},
		],
	},
	oneStep(
		missing,
		"the largest id answers 404 with an Error",
		get(missingPet),
		notFound,
	),
	...["0", "-1"].map((petId) =>
		oneStep(
			missing,
			`the id ${petId} answers 404 with an Error, or 200 with this animal`,
			get(`/pets/${petId}`),
			{ ...notFound, or: { status: 200, pet: { id: petId } } },
		),
	),

	...operations.flatMap(([operation, request]) => [
		oneStep(
			refused,
			`${operation} without a key answers 401 with an Error`,
			{ ...request, key: "none" },
			unauthenticated,
		),
		...invalidKeys.map(([what, authorization]) =>
			oneStep(
				refused,
				`${operation} with ${what} answers 401 with an Error`,
				{ ...request, key: { authorization } },
				unauthenticated,
			),
		),
	]),
	{
		rule: refused,
		name: "a request without a key adds no animal",
		steps: [
			given("before"),
			{
				request: {
					...add('{"name":"Unauthenticated","categoryId":1}'),
					key: "none",
				},
				expect: { status: 401 },
			},
			{
				request: get("/pets?limit=100"),
				expect: { status: 200, text: /^(?!.*"Unauthenticated")/s },
			},
		],
	},

	oneStep(errors, "a 400 has an Error", add("{}"), badRequest),
	oneStep(
		errors,
		"a 401 has an Error",
		{ path: "/pets", key: "none" },
		unauthenticated,
	),
	oneStep(errors, "a 404 has an Error", get(missingPet), notFound),
	{
		rule: contract("7", "A refused request adds nothing."),
		name: "a request that is refused with 400 adds no animal",
		steps: [
			{
				request: add('{"name":"Refused","categoryId":"1"}'),
				expect: { status: 400 },
			},
			{
				request: get("/pets?limit=100"),
				expect: { status: 200, text: /^(?!.*"Refused")/s },
			},
		],
	},

	{
		rule: contract("8", "default `limit` | 20"),
		name: "a list has 20 animals if limit is not given",
		steps: [
			...Array.from({ length: 21 }, (_, index) => given(`a${index}`)),
			{ request: get("/pets"), expect: { status: 200, pets: { exactly: 20 } } },
		],
	},
	oneStep(
		contract("8", "smallest `limit` | 1"),
		"limit may be 1",
		get("/pets?limit=1"),
		{ status: 200, pets: { atMost: 1 } },
	),
	oneStep(
		contract("8", "largest `limit` | 100"),
		"limit may be 100",
		get("/pets?limit=100"),
		{ status: 200, pets: { atMost: 100 } },
	),
];
