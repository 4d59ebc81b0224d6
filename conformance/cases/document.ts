// Cases of what the interface document itself promises, by its sections.
import {
	add,
	type Case,
	get,
	given,
	missingPet,
	newPet,
	oneStep,
	statuses,
} from "../case.ts";

const listPets = { section: "4.1" };
const createPet = { section: "4.2" };
const getPet = { section: "4.3" };
/** The members of `newPet`. */
const rex = { name: "Rex", categoryId: "1" };

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
		"a status that is not one of the three",
		'{"name":"Rex","categoryId":1,"status":"lost"}',
	],
	["a status in capitals", '{"name":"Rex","categoryId":1,"status":"SOLD"}'],
	["a status that is a number", '{"name":"Rex","categoryId":1,"status":1}'],
	["an array", '[{"name":"Rex","categoryId":1}]'],
	["text that is not JSON", '{"name":'],
];

const operations = [
	["listPets", get("/pets")],
	["createPet", add()],
	["getPet", get("/pets/1")],
] as const;

export const documentCases: readonly Case[] = [
	// 1. What the service does
	{
		section: "1",
		name: "an animal that was added is in the list and can be read by its id",
		steps: [
			given("rex"),
			{
				request: get("/pets?limit=100"),
				expect: { status: 200, pets: { has: ["{rex.id}"], fullAt: 100 } },
			},
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, pet: { id: "{rex.id}", ...rex } },
			},
		],
	},
	oneStep(
		{ section: "1", name: "a list is sent as application/json" },
		get("/pets"),
		{
			status: 200,
			headers: { "Content-Type": /^application\/json\b/ },
		},
	),
	oneStep(
		{
			section: "1",
			name: "an animal that was added is sent as application/json",
		},
		add(),
		{
			status: 201,
			headers: { "Content-Type": /^application\/json\b/ },
		},
	),

	// 2. Resources
	...statuses.map((status) =>
		oneStep(
			{
				section: "2",
				name: `createPet accepts and returns the status ${status}`,
			},
			add(`{"name":"Rex","categoryId":1,"status":"${status}"}`),
			{ status: 201, pet: { status } },
		),
	),
	oneStep(
		{ section: "2", name: "a Pet has all fields of the NewPet and an id" },
		add('{"name":"Rex the Third","categoryId":42,"status":"sold"}'),
		{
			status: 201,
			pet: { name: "Rex the Third", categoryId: "42", status: "sold" },
		},
	),
	{
		section: "2",
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
			{
				request: get("/pets?limit=100"),
				expect: {
					status: 200,
					pets: { has: ["{first.id}", "{second.id}"], fullAt: 100 },
				},
			},
		],
	},
	...["9007199254740993", "9223372036854775807", "-9223372036854775808"].map(
		(categoryId): Case => ({
			section: "2",
			name: `categoryId is an int64: ${categoryId} is returned with all its digits`,
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
		{ section: "2", name: "Pets is an array of Pet" },
		get("/pets?limit=100"),
		{
			status: 200,
			pets: {},
		},
	),
	oneStep(
		{ section: "2", name: "an Error has code, message and the HTTP status" },
		get(missingPet),
		{
			status: 404,
			error: true,
		},
	),

	// 3. States
	oneStep(
		{
			section: "3",
			name: "an animal that was added without a status has one of the three statuses, or none",
		},
		add(),
		{
			status: 201,
			pet: {},
		},
	),

	// 4.1 List animals
	oneStep(
		{ ...listPets, name: "GET /pets answers 200 with an array" },
		get("/pets"),
		{
			status: 200,
			pets: {},
		},
	),
	{
		...listPets,
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
		(status): Case => ({
			...listPets,
			name: `status=${status} lists only animals with this status`,
			steps: [
				given("match", `{"name":"Rex","categoryId":1,"status":"${status}"}`),
				given(
					"other",
					`{"name":"Rex","categoryId":1,"status":"${status === "sold" ? "pending" : "sold"}"}`,
				),
				{
					request: get(`/pets?status=${status}&limit=100`),
					expect: {
						status: 200,
						pets: {
							status,
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
		...listPets,
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

	// 4.2 Add an animal
	oneStep(
		{ ...createPet, name: "POST /pets answers 201 with the Pet" },
		add(),
		{
			status: 201,
			pet: { name: "Rex", categoryId: "1" },
		},
	),
	...invalidBodies.map(([what, body]) =>
		oneStep(
			{ ...createPet, name: `createPet answers 400 to ${what}` },
			add(body),
			{
				status: 400,
				error: true,
			},
		),
	),

	// 4.3 Get an animal
	{
		...getPet,
		name: "GET /pets/{petId} answers 200 with the Pet",
		steps: [
			given(
				"rex",
				'{"name":"Rex the Fourth","categoryId":7,"status":"pending"}',
			),
			{
				request: get("/pets/{rex.id}"),
				expect: {
					status: 200,
					pet: {
						id: "{rex.id}",
						name: "Rex the Fourth",
						categoryId: "7",
						status: "pending",
					},
				},
			},
		],
	},
	oneStep(
		{
			...getPet,
			name: "GET /pets/{petId} answers 404 with an Error if there is no such animal",
		},
		get(missingPet),
		{
			status: 404,
			error: true,
		},
	),

	// 5. Authentication
	...operations.flatMap(([id, request]) => [
		oneStep(
			{ section: "5", name: `${id} without a key answers 401 with an Error` },
			{ ...request, key: "none" },
			{
				status: 401,
				error: true,
			},
		),
		oneStep(
			{
				section: "5",
				name: `${id} with an invalid key answers 401 with an Error`,
			},
			{
				...request,
				key: { authorization: "Bearer not-a-key-of-this-service" },
			},
			{ status: 401, error: true },
		),
		oneStep(
			{
				section: "5",
				name: `${id} with the key in another scheme than Bearer answers 401`,
			},
			{ ...request, key: { authorization: "Basic %" } },
			{ status: 401, error: true },
		),
	]),
	{
		section: "5",
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

	// 7. Errors
	oneStep(
		{ section: "7", name: "the status in an Error is the HTTP status: 400" },
		add("{}"),
		{
			status: 400,
			error: true,
		},
	),
	oneStep(
		{ section: "7", name: "the status in an Error is the HTTP status: 401" },
		{ path: "/pets", key: "none" },
		{
			status: 401,
			error: true,
		},
	),
	{
		section: "7",
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

	// 8. Limits
	{
		section: "8",
		name: "a list has 20 animals if limit is not given",
		steps: [
			...Array.from({ length: 21 }, (_, index) => given(`a${index}`)),
			{ request: get("/pets"), expect: { status: 200, pets: { exactly: 20 } } },
		],
	},
	oneStep({ section: "8", name: "limit may be 1" }, get("/pets?limit=1"), {
		status: 200,
		pets: { atMost: 1 },
	}),
	oneStep({ section: "8", name: "limit may be 100" }, get("/pets?limit=100"), {
		status: 200,
		pets: { atMost: 100 },
	}),

	// 9. Versioning
	{
		section: "9",
		name: "GET /pets/{petId} is deprecated, but still answered",
		steps: [
			given("rex", newPet),
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, pet: { id: "{rex.id}", ...rex } },
			},
		],
	},
];
