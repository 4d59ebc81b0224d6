// Beyond the document: what replies carry.
import { add, type Case, get, given, newPet, noPet, one } from "./case.ts";

const listed = { section: "4.1" };
const added = { section: "4.2" };
const got = { section: "4.3" };

const deprecated = {
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
		one(
			{ section: "7", addition: "Errors", name: `${what} gets an Error too` },
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
			["an Error", get(noPet), 404],
			["a 401", { path: "/pets", key: "none" as const }, 401],
		] as const
	).map(([what, request, status]) =>
		one(
			{
				section: "1",
				addition: "Content-Type of replies",
				name: `${what} is exactly application/json`,
			},
			request,
			{
				status,
				headers: { "Content-Type": "application/json" },
			},
		),
	),
	one(
		{
			section: "7",
			addition: "`code`",
			name: "a missing animal has the code not_found",
		},
		get(noPet),
		{
			status: 404,
			error: "not_found",
		},
	),
	one(
		{
			section: "7",
			addition: "`code`",
			name: "a bad body has the code invalid_body",
		},
		add("{}"),
		{
			status: 400,
			error: "invalid_body",
		},
	),
	one(
		{
			section: "7",
			addition: "`message`",
			name: "the message names every field that is wrong",
		},
		add('{"name":1,"status":"x"}'),
		{
			status: 400,
			message: /name.*categoryId.*status/,
		},
	),
	one(
		{
			section: "2",
			addition: "Member order",
			name: "a Pet is id, name, categoryId, status",
		},
		add('{"status":"sold","categoryId":1,"name":"x"}'),
		{
			status: 201,
			text: /^\{"id":\d+,"name":"x","categoryId":1,"status":"sold"\}$/,
		},
	),
	one(
		{
			section: "2",
			addition: "Member order",
			name: "an Error is code, message, status",
		},
		get(noPet),
		{
			status: 404,
			text: /^\{"code":"not_found","message":"[^"]+","status":404\}$/,
		},
	),
	{
		...added,
		addition: "201",
		name: "201 carries the address of the animal",
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
		...listed,
		addition: "Paging",
		name: "the Link of a page leads to the next, whatever is added meanwhile",
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
		...listed,
		addition: "Paging",
		name: "the Link keeps the filter",
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
		...listed,
		addition: "Paging",
		name: "a cursor belongs to its filter",
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
		one(
			{
				...listed,
				addition: "Paging",
				name: `cursor=${cursor} is refused, and the parameter named`,
			},
			get(`/pets?cursor=${cursor}`),
			{
				status: 400,
				error: "invalid_parameter",
				message: /cursor/,
			},
		),
	),

	// Conditional reads
	{
		...listed,
		addition: "Conditional reads",
		name: "a list that has not changed is a 304",
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
				expect: { status: 304, empty: true, headers: { ETag: "{page.etag}" } },
			},
			{
				request: get("/pets?limit=1", {
					"If-None-Match": 'W/"x", W/{page.etag}',
				}),
				expect: { status: 304 },
			},
			{
				request: get("/pets?limit=1", { "If-None-Match": '"x"' }),
				expect: { status: 200 },
			},
		],
	},
	{
		...listed,
		addition: "Conditional reads",
		name: "a list that has changed is sent",
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
		...got,
		addition: "Conditional reads",
		name: "an animal that has not changed is a 304",
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

	// Safe retries; `{unique}` is another text in each run.
	{
		...added,
		addition: "Safe retries",
		name: "the same Idempotency-Key and animal get the first reply again",
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
			...added,
			addition: "Safe retries",
			name: `the same Idempotency-Key with another animal is refused: ${other}`,
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
		...added,
		addition: "Safe retries",
		name: "a refused request leaves its Idempotency-Key free",
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
	...["", "a b", "a, b", "x".repeat(256)].map((key) =>
		one(
			{
				...added,
				addition: "Safe retries",
				name: `the Idempotency-Key "${key.slice(0, 10)}" of ${key.length} characters is refused`,
			},
			add(newPet, { "Idempotency-Key": key }),
			{ status: 400, error: "invalid_parameter", message: /Idempotency-Key/ },
		),
	),

	// Deprecation
	{
		...got,
		addition: "Deprecation",
		name: "every reply of getPet tells of its removal",
		steps: [
			given("rex"),
			{
				request: get("/pets/{rex.id}"),
				expect: { status: 200, headers: deprecated },
			},
			{ request: get(noPet), expect: { status: 404, headers: deprecated } },
			{
				request: get("/pets/abc"),
				expect: { status: 404, headers: deprecated },
			},
			{
				request: { method: "HEAD", path: "/pets/{rex.id}" },
				expect: { status: 200, headers: deprecated },
			},
			{
				request: get("/pets/{rex.id}", { "If-None-Match": "*" }),
				expect: { status: 304, headers: deprecated },
			},
		],
	},
	one(
		{ ...got, addition: "Deprecation", name: "a stranger is not told of it" },
		{ path: "/pets/1", key: "none" },
		{
			status: 401,
			headers: { Deprecation: null, Sunset: null },
		},
	),
	...(
		[
			["listPets", get("/pets"), 200],
			["createPet", add(), 201],
		] as const
	).map(([id, request, status]) =>
		one(
			{
				section: "9",
				addition: "Deprecation",
				name: `${id} is not deprecated`,
			},
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
			["an Error", get(noPet), 404],
			["a 401", { path: "/pets", key: "none" as const }, 401],
		] as const
	).map(([what, request, status]) =>
		one(
			{
				section: "1",
				addition: "Cross-origin use",
				name: `${what} may be read by any origin`,
			},
			request,
			{
				status,
				headers: {
					"Access-Control-Allow-Origin": "*",
					"Access-Control-Expose-Headers":
						/^(?=.*Link)(?=.*Location)(?=.*ETag)(?=.*Deprecation)(?=.*Sunset)(?=.*Retry-After)(?=.*WWW-Authenticate)(?=.*Idempotency-Replayed)/,
				},
			},
		),
	),
	one(
		{
			section: "9",
			addition: "Base addresses",
			name: "the OpenAPI document names an address that ends with the prefix",
		},
		{ path: "^/openapi.json", key: "none" },
		{
			status: 200,
			text: /"servers": \[\s*\{\s*"url": "[^"]*\/v1"/,
		},
	),
	one(
		{
			section: "9",
			addition: "Versions",
			name: "the OpenAPI document is that of version 1.0.0",
		},
		{ path: "^/openapi.json", key: "none" },
		{
			status: 200,
			text: /"version": "1\.0\.0"/,
		},
	),
];
