// Cases of additions to the document: bodies and headers of replies.
import {
	add,
	addition,
	type Case,
	get,
	given,
	missingPet,
	newPet,
	oneStep,
} from "../case.ts";

const deprecationHeaders = {
	Deprecation: "@1764892800",
	Sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
	Link: '</v1/pets>; rel="successor-version"',
};

export const replyCases: readonly Case[] = [
	...(
		[
			["an unknown path", { path: "/nothing" }, 404, "not_found"],
			[
				"a wrong method",
				{ method: "DELETE", path: "/pets" },
				405,
				"method_not_allowed",
			],
			[
				"a wrong media type",
				add(newPet, { "Content-Type": "text/plain" }),
				415,
				"unsupported_media_type",
			],
		] as const
	).map(([what, request, status, code]) =>
		oneStep(
			addition("7", "Errors"),
			`the reply to ${what} is an Error with the code ${code}`,
			request,
			{
				status,
				error: code,
			},
		),
	),
	...(
		[
			["a list", get("/pets"), 200],
			["an animal", add(), 201],
			["an Error", get(missingPet), 404],
			["a 401", { path: "/pets", key: "none" as const }, 401],
		] as const
	).map(([what, request, status]) =>
		oneStep(
			addition("1", "Content-Type of replies"),
			`the Content-Type of ${what} is exactly application/json`,
			request,
			{
				status,
				headers: { "Content-Type": "application/json" },
			},
		),
	),
	oneStep(
		addition("7", "`code`"),
		"the Error for a missing animal has the code not_found",
		get(missingPet),
		{ status: 404, error: "not_found" },
	),
	oneStep(
		addition("7", "`code`"),
		"the Error for an invalid body has the code invalid_body",
		add("{}"),
		{ status: 400, error: "invalid_body" },
	),
	oneStep(
		addition("7", "`message`"),
		"the message of an Error names every field that is wrong",
		add('{"name":1,"status":"x"}'),
		{ status: 400, message: /name.*categoryId.*status/ },
	),
	oneStep(
		addition("2", "Member order"),
		"the members of a Pet are in the order id, name, categoryId, status",
		add('{"status":"sold","categoryId":1,"name":"x"}'),
		{
			status: 201,
			text: /^\{"id":\d+,"name":"x","categoryId":1,"status":"sold"\}$/,
		},
	),
	oneStep(
		addition("2", "Member order"),
		"the members of an Error are in the order code, message, status",
		get(missingPet),
		{
			status: 404,
			text: /^\{"code":"not_found","message":"[^"]+","status":404\}$/,
		},
	),
	{
		rule: addition("4.2", "201"),
		name: "a 201 has the address of the animal in Location",
		steps: [
			{
				request: add(),
				expect: { status: 201, headers: { Location: /^\/v1\/pets\/\d+$/ } },
				save: "rex",
			},
			{
				request: { path: "^{rex.location}" },
				expect: { status: 200, sameAs: "rex" },
			},
		],
	},

	// Paging
	{
		rule: addition("4.1", "Paging"),
		name: "the Link of a page leads to the next page, also after another animal was added",
		steps: [
			given("a"),
			given("b"),
			given("c"),
			{
				request: get("/pets?limit=2"),
				expect: {
					status: 200,
					pets: { first: ["{c.id}", "{b.id}"] },
					headers: { Link: /^<\/v1\/pets\?[^>]*cursor=[^>]+>; rel="next"$/ },
				},
				save: "page",
			},
			given("d"),
			{
				request: { path: "^{page.next}" },
				expect: { status: 200, pets: { first: ["{a.id}"], atMost: 2 } },
			},
		],
	},
	{
		rule: addition("4.1", "Paging"),
		name: "the Link to the next page keeps the status filter",
		steps: [
			given("a", '{"name":"Rex","categoryId":1,"status":"sold"}'),
			given("b", '{"name":"Rex","categoryId":1,"status":"sold"}'),
			given("x", '{"name":"Rex","categoryId":1,"status":"pending"}'),
			{
				request: get("/pets?limit=1&status=sold"),
				expect: { status: 200, pets: { first: ["{b.id}"] } },
				save: "page",
			},
			{
				request: { path: "^{page.next}" },
				expect: { status: 200, pets: { first: ["{a.id}"], status: "sold" } },
			},
		],
	},
	{
		rule: addition("4.1", "Paging"),
		name: "listPets answers 400 to a cursor that belongs to another status filter",
		steps: [
			given("a"),
			given("b"),
			{ request: get("/pets?limit=1"), expect: { status: 200 }, save: "page" },
			{
				request: { path: "^{page.next}&status=sold" },
				expect: { status: 400, error: "invalid_parameter", message: /cursor/ },
			},
		],
	},
	...["x", "1", "", "%20", "AAAA"].map((cursor) =>
		oneStep(
			addition("4.1", "Paging"),
			`listPets answers 400 to cursor=${cursor} and names the parameter`,
			get(`/pets?cursor=${cursor}`),
			{ status: 400, error: "invalid_parameter", message: /cursor/ },
		),
	),

	// Conditional reads
	{
		rule: addition("4.1", "Conditional reads"),
		name: "listPets answers 304 to the ETag of a list that has not changed",
		steps: [
			given("rex"),
			{
				request: get("/pets?limit=1"),
				expect: {
					status: 200,
					headers: { ETag: /^"[^"]+"$/, "Cache-Control": "private, no-cache" },
				},
				save: "page",
			},
			{
				request: get("/pets?limit=1", { "If-None-Match": "{page.etag}" }),
				expect: {
					status: 304,
					empty: true,
					headers: { ETag: "{page.etag}", "Content-Type": null },
				},
			},
			...["*", 'W/"x", W/{page.etag}', ', "x" ,,{page.etag} ,'].map((tags) => ({
				request: get("/pets?limit=1", { "If-None-Match": tags }),
				expect: { status: 304 },
			})),
			...[
				...['"x"', "", "*, {page.etag}", "w/{page.etag}", '"x" {page.etag}'],
				...["{page.etag}, x", '{page.etag}"x"', "{page.etag}; {page.etag}"],
			].map((tags) => ({
				request: get("/pets?limit=1", { "If-None-Match": tags }),
				expect: { status: 200 },
			})),
		],
	},
	{
		rule: addition("4.1", "Conditional reads"),
		name: "listPets answers 200 to the ETag of a list that has changed",
		steps: [
			given("rex"),
			{ request: get("/pets?limit=1"), expect: { status: 200 }, save: "page" },
			given("max"),
			{
				request: get("/pets?limit=1", { "If-None-Match": "{page.etag}" }),
				expect: { status: 200, pets: { first: ["{max.id}"] } },
			},
		],
	},
	{
		rule: addition("4.3", "Conditional reads"),
		name: "getPet answers 304 to the ETag of an animal that has not changed",
		steps: [
			given("rex"),
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, headers: { ETag: /^"[^"]+"$/ } },
				save: "one",
			},
			{
				request: get("/pets/{rex.id}", { "If-None-Match": "{one.etag}" }),
				expect: { status: 304, empty: true },
			},
			{
				request: get("/pets/{rex.id}", { "If-None-Match": "*" }),
				expect: { status: 304 },
			},
		],
	},

	// Safe retries. `{unique}` is a different text in each run of a case.
	{
		rule: addition("4.2", "Safe retries"),
		name: "the same Idempotency-Key with the same animal gets the first reply again",
		steps: [
			{
				request: add('{"name":"Rex","categoryId":10}', {
					"Idempotency-Key": "{unique}",
				}),
				expect: { status: 201, headers: { "Idempotency-Replayed": null } },
				save: "first",
			},
			{
				request: add(
					'{"categoryId":1e1,"status":"available","name":"Rex","x":0}',
					{ "Idempotency-Key": "{unique}" },
				),
				expect: {
					status: 201,
					sameAs: "first",
					headers: {
						"Idempotency-Replayed": "true",
						Location: "{first.location}",
					},
				},
			},
			{
				request: get("/pets?limit=1"),
				expect: { status: 200, pets: { first: ["{first.id}"] } },
			},
		],
	},
	...[
		'{"name":"Max","categoryId":1}',
		'{"name":"Rex","categoryId":2}',
		'{"name":"Rex","categoryId":1,"status":"sold"}',
	].map(
		(other): Case => ({
			rule: addition("4.2", "Safe retries"),
			name: `createPet answers 422 to the same Idempotency-Key with another animal: ${other}`,
			steps: [
				{
					request: add(newPet, { "Idempotency-Key": "{unique}" }),
					expect: { status: 201 },
					save: "rex",
				},
				{
					request: add(other, { "Idempotency-Key": "{unique}" }),
					expect: { status: 422, error: "idempotency_mismatch" },
				},
				{
					request: get("/pets?limit=1"),
					expect: { status: 200, pets: { first: ["{rex.id}"] } },
				},
			],
		}),
	),
	{
		rule: addition("4.2", "Safe retries"),
		name: "the Idempotency-Key of a refused request can be used again",
		steps: [
			{
				request: add("{}", { "Idempotency-Key": "{unique}" }),
				expect: { status: 400 },
			},
			{
				request: add(newPet, { "Idempotency-Key": "{unique}" }),
				expect: { status: 201, headers: { "Idempotency-Replayed": null } },
			},
		],
	},
	oneStep(
		addition("4.2", "Safe retries"),
		"an Idempotency-Key may have 255 visible ASCII characters",
		add(newPet, { "Idempotency-Key": "{unique}".padEnd(227, '~!"#,;`{}') }),
		{ status: 201 },
	),
	...(
		[
			["that is empty", ""],
			["with a space", "a b"],
			["with two values", "a, b"],
			["of 256 characters", "x".repeat(256)],
		] as const
	).map(([what, key]) =>
		oneStep(
			addition("4.2", "Safe retries"),
			`createPet answers 400 to an Idempotency-Key ${what}`,
			add(newPet, { "Idempotency-Key": key }),
			{ status: 400, error: "invalid_parameter", message: /Idempotency-Key/ },
		),
	),

	// Deprecation
	{
		rule: addition("4.3", "Deprecation"),
		name: "every reply of getPet has the headers Deprecation, Sunset and Link",
		steps: [
			given("rex"),
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, headers: deprecationHeaders },
			},
			{
				request: get(missingPet),
				expect: { status: 404, headers: deprecationHeaders },
			},
			{
				request: get("/pets/abc"),
				expect: { status: 404, headers: deprecationHeaders },
			},
			{
				request: { method: "HEAD", path: "/pets/{rex.id}" },
				expect: { status: 200, headers: deprecationHeaders },
			},
			{
				request: get("/pets/{rex.id}", { "If-None-Match": "*" }),
				expect: { status: 304, headers: deprecationHeaders },
			},
		],
	},
	oneStep(
		addition("4.3", "Deprecation"),
		"getPet without a key has no deprecation headers",
		{ path: "/pets/1", key: "none" },
		{ status: 401, headers: { Deprecation: null, Sunset: null } },
	),
	...(
		[
			["listPets", get("/pets"), 200],
			["createPet", add(), 201],
		] as const
	).map(([id, request, status]) =>
		oneStep(
			addition("9", "Deprecation"),
			`${id} has no deprecation headers`,
			request,
			{
				status,
				headers: { Deprecation: null, Sunset: null },
			},
		),
	),

	...(
		[
			["a list", get("/pets"), 200],
			["an Error", get(missingPet), 404],
			["a 401", { path: "/pets", key: "none" as const }, 401],
		] as const
	).map(([what, request, status]) =>
		oneStep(
			addition("1", "Cross-origin use"),
			`scripts of any origin may read ${what}`,
			request,
			{
				status,
				headers: {
					"Access-Control-Allow-Origin": "*",
					"Access-Control-Expose-Headers":
						/^(?=.*Link)(?=.*Location)(?=.*ETag)(?=.*Deprecation)(?=.*Sunset)(?=.*Retry-After)(?=.*WWW-Authenticate)(?=.*Idempotency-Replayed)(?=.*RateLimit)(?=.*X-Request-Id)(?=.*Allow)(?=.*Date)/,
				},
			},
		),
	),
	{
		rule: addition("1", "Request ids"),
		name: "an X-Request-Id of up to 64 letters, digits, dots, underscores and hyphens comes back",
		steps: ["x", "Az09._-".padEnd(64, "x")].flatMap((id) => [
			{
				request: get("/pets", { "X-Request-Id": id }),
				expect: { status: 200, headers: { "X-Request-Id": id } },
			},
			{
				request: get(missingPet, { "X-Request-Id": id }),
				expect: { status: 404, headers: { "X-Request-Id": id } },
			},
		]),
	},
	oneStep(
		addition("9", "Base addresses"),
		"the OpenAPI document names a server whose address ends with /v1",
		{ path: "^/openapi.json", key: "none" },
		{ status: 200, text: /"servers": \[\s*\{\s*"url": "[^"]*\/v1"/ },
	),
	oneStep(
		addition("9", "Versions"),
		"the OpenAPI document has the version 1.0.0",
		{ path: "^/openapi.json", key: "none" },
		{ status: 200, text: /"version": "1\.0\.0"/ },
	),
	oneStep(
		addition("9", "OpenAPI versions"),
		"/openapi.json?version=3.0 is the OpenAPI document in OpenAPI 3.0",
		{ path: "^/openapi.json?version=3.0", key: "none" },
		{ status: 200, text: /"openapi": "3\.0\.\d+"/ },
	),
	oneStep(
		addition("9", "OpenAPI versions"),
		"/openapi.json with a version that is neither 3.1 nor 3.0 answers 400",
		{ path: "^/openapi.json?version=2.0", key: "none" },
		{ status: 400, error: "invalid_parameter" },
	),
	oneStep(
		addition("9", "OpenAPI document"),
		"the OpenAPI document requires the status of a Pet",
		{ path: "^/openapi.json", key: "none" },
		{
			status: 200,
			text: /"required": \[\s*"id",\s*"name",\s*"categoryId",\s*"status"\s*\]/,
		},
	),
];
