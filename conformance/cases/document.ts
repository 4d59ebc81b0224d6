// Cases of what the interface document itself promises, by its sections.
import {
	add,
	type Case,
	type CaseRequest,
	contract,
	get,
	given,
	missingPet,
	reads,
	type Step,
	statuses,
	step,
	withoutKey,
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
	"e\u0301 is not \u00e9, \ufb01 is not fi",
	"\u{1f600} \u{1f469}\u200d\u{1f469}\u200d\u{1f467}",
	"'; DROP TABLE pets; --",
	"<script>alert(1)</script> &amp;",
	"%00 %s {{x}} \\\\",
	// The longest that our additions allow.
	"abcde".repeat(51),
];

const operations: readonly [id: string, request: CaseRequest][] = [
	["listPets", get("/pets")],
	["createPet", add()],
	["getPet", get("/pets/1")],
];

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

const isJson = contract(
	"1",
	"Requests and replies are JSON (`application/json`).",
);
const pet = contract("2", "Pet: It has the fields of NewPet, and: `id`");
const int64 = contract("2", "An int64 is a whole number … Every digit counts.");
const petStatus = contract(
	"2",
	"PetStatus: one of the strings `available`, `pending` and `sold`.",
);
const status = contract("4.1", "`status` | Only animals with this status.");
const invalid = contract("4.2", "`400` | Error | The body is not a NewPet");
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
	contract("1", "Lists and gets return the animals that were added.")(
		"an animal that was added is in the list and can be read by its id",
		given("rex"),
		reads("/pets?limit=100", { pets: { has: ["{rex.id}"], fullAt: 100 } }),
		reads("/pets/{rex.id}", {
			pet: { id: "{rex.id}", name: "Rex", categoryId: "1" },
		}),
	),
	...(
		[
			["a list", get("/pets"), 200],
			["an animal that was added", add(), 201],
			["a 400", add("{}"), 400],
			["a 401", withoutKey(get("/pets")), 401],
			["a 404", get(missingPet), 404],
		] as const
	).map(([what, request, status]) =>
		isJson(
			`${what} is sent as application/json`,
			step(request, { status, headers: json }),
		),
	),

	...statuses.map((status) =>
		petStatus(
			`createPet accepts and returns the status ${status}`,
			step(add(`{"name":"Rex","categoryId":1,"status":"${status}"}`), {
				status: 201,
				pet: { status },
			}),
		),
	),
	pet(
		"a Pet has all fields of the NewPet and an id",
		step(add('{"name":"Rex the Third","categoryId":42,"status":"sold"}'), {
			status: 201,
			pet: { name: "Rex the Third", categoryId: "42", status: "sold" },
		}),
	),
	...names.map((name) =>
		pet(
			`the name ${name.length < 255 ? `"${name}"` : "of 255 characters"} comes back unchanged`,
			...comesBack(`{"name":"${name}","categoryId":1}`, {
				name: JSON.parse(`"${name}"`),
			}),
		),
	),
	contract(
		"2",
		"`id` | Unique. The service assigns it when the animal is added.",
	)(
		"two animals have different ids",
		given("first", '{"name":"First","categoryId":1}'),
		given("second", '{"name":"Second","categoryId":1}'),
		reads("/pets/{first.id}", { pet: { id: "{first.id}", name: "First" } }),
		reads("/pets/{second.id}", { pet: { id: "{second.id}", name: "Second" } }),
	),
	...["9007199254740993", "9223372036854775807", "-9223372036854775808"].map(
		(categoryId) =>
			int64(
				`the categoryId ${categoryId} is returned with all its digits`,
				...comesBack(`{"name":"Rex","categoryId":${categoryId}}`, {
					categoryId,
				}),
			),
	),
	contract("3", "The status of an animal is `available`, `pending` or `sold`.")(
		"an animal that was added without a status has one of the three, or none",
		step(add(), { status: 201, pet: {} }),
	),

	contract("4.1", "`200` | Pets | Success.")(
		"GET /pets answers 200 with an array of Pet",
		reads("/pets?limit=100", { pets: {} }),
	),
	contract("4.1", "`limit` | Maximum number of animals in the reply")(
		"limit is the maximum number of animals returned",
		given("a"),
		given("b"),
		reads("/pets?limit=1", { pets: { exactly: 1 } }),
		reads("/pets?limit=2", { pets: { exactly: 2 } }),
	),
	...statuses.map((one) => {
		const other = one === "sold" ? "pending" : "sold";
		const found = { status: one, has: ["{match.id}"], fullAt: 100 };
		return status(
			`status=${one} lists only animals with this status`,
			given("match", `{"name":"Rex","categoryId":1,"status":"${one}"}`),
			given("other", `{"name":"Rex","categoryId":1,"status":"${other}"}`),
			reads(`/pets?status=${one}&limit=100`, {
				pets: { ...found, lacks: ["{other.id}"] },
			}),
		);
	}),
	status(
		"limit and status can be combined",
		given("a", '{"name":"Rex","categoryId":1,"status":"pending"}'),
		given("b", '{"name":"Rex","categoryId":1,"status":"pending"}'),
		reads("/pets?limit=1&status=pending", {
			pets: { exactly: 1, status: "pending" },
		}),
	),

	contract("4.2", "`201` | Pet | Success. The Pet has the assigned `id`.")(
		"POST /pets answers 201 with the Pet",
		step(add(), { status: 201, pet: { name: "Rex", categoryId: "1" } }),
	),
	...invalidBodies.map(([what, body]) =>
		invalid(`createPet answers 400 to ${what}`, step(add(body), badRequest)),
	),

	contract("4.3", "`200` | Pet | Success.")(
		"GET /pets/{petId} answers 200 with the Pet, though it is deprecated",
		given("rex", '{"name":"Rex the Fourth","categoryId":7,"status":"sold"}'),
		reads("/pets/{rex.id}", {
			pet: { id: "{rex.id}", name: "Rex the Fourth", categoryId: "7" },
		}),
	),
	missing(
		"the largest id answers 404 with an Error",
		step(get(missingPet), notFound),
	),
	...["0", "-1"].map((id) =>
		missing(
			`the id ${id} answers 404 with an Error, or 200 with this animal`,
			step(get(`/pets/${id}`), {
				...notFound,
				or: { status: 200, pet: { id } },
			}),
		),
	),

	...operations.flatMap(([operation, request]) => [
		refused(
			`${operation} without a key answers 401 with an Error`,
			step(withoutKey(request), unauthenticated),
		),
		...invalidKeys.map(([what, authorization]) =>
			refused(
				`${operation} with ${what} answers 401 with an Error`,
				step({ ...request, key: { authorization } }, unauthenticated),
			),
		),
	]),
	refused(
		"a request without a key adds no animal",
		given("before"),
		step(withoutKey(add('{"name":"Unauthenticated","categoryId":1}')), {
			status: 401,
		}),
		reads("/pets?limit=100", { text: /^(?!.*"Unauthenticated")/s }),
	),

	errors("a 400 has an Error", step(add("{}"), badRequest)),
	errors("a 401 has an Error", step(withoutKey(get("/pets")), unauthenticated)),
	errors("a 404 has an Error", step(get(missingPet), notFound)),
	contract("7", "A refused request adds nothing.")(
		"a request that is refused with 400 adds no animal",
		step(add('{"name":"Refused","categoryId":"1"}'), { status: 400 }),
		reads("/pets?limit=100", { text: /^(?!.*"Refused")/s }),
	),

	contract("8", "default `limit` | 20")(
		"a list has 20 animals if limit is not given",
		...Array.from({ length: 21 }, (_, index) => given(`a${index}`)),
		reads("/pets", { pets: { exactly: 20 } }),
	),
	contract("8", "smallest `limit` | 1")(
		"limit may be 1",
		reads("/pets?limit=1", { pets: { atMost: 1 } }),
	),
	contract("8", "largest `limit` | 100")(
		"limit may be 100",
		reads("/pets?limit=100", { pets: { atMost: 100 } }),
	),
];

/** Adds an animal. The reply and a later get must have these members. */
function comesBack(
	body: string,
	pet: Readonly<Record<string, string>>,
): readonly Step[] {
	return [
		step(add(body), { status: 201, pet }, "rex"),
		reads("/pets/{rex.id}", { pet }),
	];
}
