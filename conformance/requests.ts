// Beyond the document: parameters, paths, media types, methods.
import { add, type Case, get, given, newPet, noPet, one } from "./case.ts";

const listed = { section: "4.1" };
const added = { section: "4.2" };

const jsonTypes = [
	"APPLICATION/JSON",
	"application/json; charset=utf-8",
	"application/json;charset=latin1",
	"application/vnd.pets+json",
];
const otherTypes = [
	"text/plain",
	"text/json",
	"application/x-www-form-urlencoded",
	"multipart/form-data; boundary=x",
	"application/jsonp",
	"application/xml",
];

export const requestCases: readonly Case[] = [
	..."0 101 1000 -1 05 5.0 1e1 +5 0x5 five %205 5%20 %D9%A5"
		.split(" ")
		.concat("")
		.map((limit) =>
			one(
				{
					...listed,
					addition: "`limit`",
					name: `limit=${limit} is refused, and the parameter named`,
				},
				get(`/pets?limit=${limit}`),
				{
					status: 400,
					error: "invalid_parameter",
					message: /limit/,
				},
			),
		),
	...["Available", "SOLD", "gone", "", "sold,pending"].map((status) =>
		one(
			{
				...listed,
				addition: "`status` filter",
				name: `status=${status} is refused, and the parameter named`,
			},
			get(`/pets?status=${status}`),
			{ status: 400, error: "invalid_parameter", message: /status/ },
		),
	),
	...["limit=5&limit=5", "limit=5&%6Cimit=5", "status=sold&status=sold"].map(
		(query) =>
			one(
				{
					...listed,
					addition: "The same known parameter twice",
					name: `${query} is refused`,
				},
				get(`/pets?${query}`),
				{
					status: 400,
					error: "invalid_parameter",
				},
			),
	),
	...["page=2&page=3", "Limit=0", "limit[]=0", "%zz=%zz", "&&="].map((query) =>
		one(
			{
				...listed,
				addition: "Unknown parameters",
				name: `${query} is ignored`,
			},
			get(`/pets?limit=1&${query}`),
			{
				status: 200,
				pets: { atMost: 1 },
			},
		),
	),
	{
		...listed,
		addition: "Percent-encoding",
		name: "names and values of parameters are decoded",
		steps: [
			given("rex"),
			{
				request: get("/pets?%6Cimit=%31&stat%75s=a%76ailable"),
				expect: { status: 200, pets: { exactly: 1, status: "available" } },
			},
		],
	},
	...["limit=%", "limit=%zz", "status=%ff", "cursor=%"].map((query) =>
		one(
			{
				...listed,
				addition: "Percent-encoding",
				name: `the broken escape in ${query} is refused`,
			},
			get(`/pets?${query}`),
			{
				status: 400,
				error: "invalid_parameter",
			},
		),
	),
	..."abc 0 -1 01 1.0 +1 1e0 0x1 %31 9223372036854775808"
		.split(" ")
		.map((petId) =>
			one(
				{
					section: "4.3",
					addition: "`petId` that is no int64",
					name: `petId ${petId} is a 404`,
				},
				get(`/pets/${petId}`),
				{
					status: 404,
					error: "not_found",
				},
			),
		),
	...["/pets/", "//pets", "/Pets", "/%70ets", "/pets/1/", "/pets/1/2", "/"].map(
		(path) =>
			one(
				{ section: "4", addition: "Paths", name: `${path} is a 404` },
				get(path),
				{
					status: 404,
					error: "not_found",
				},
			),
	),
	...jsonTypes.map((type) =>
		one(
			{
				...added,
				addition: "Content-Type of createPet",
				name: `${type} is read as JSON`,
			},
			add(newPet, { "Content-Type": type }),
			{
				status: 201,
			},
		),
	),
	...otherTypes.map((type) =>
		one(
			{
				...added,
				addition: "Content-Type of createPet",
				name: `${type} is refused`,
			},
			add(newPet, { "Content-Type": type }),
			{
				status: 415,
				error: "unsupported_media_type",
			},
		),
	),
	...["gzip", "br"].map((encoding) =>
		one(
			{
				...added,
				addition: "Content-Encoding",
				name: `Content-Encoding ${encoding} is refused`,
			},
			add(newPet, { "Content-Encoding": encoding }),
			{
				status: 415,
				error: "unsupported_media_type",
			},
		),
	),
	one(
		{
			...added,
			addition: "Content-Encoding",
			name: "Content-Encoding identity is read",
		},
		add(newPet, { "Content-Encoding": "identity" }),
		{
			status: 201,
		},
	),
	one(
		{ ...added, addition: "Body size", name: "a body of 64 KiB is read" },
		add(newPet.padEnd(65_536)),
		{
			status: 201,
		},
	),
	one(
		{
			...added,
			addition: "Body size",
			name: "a body of 64 KiB and a byte is refused",
		},
		add(newPet.padEnd(65_537)),
		{
			status: 413,
			error: "payload_too_large",
		},
	),
	...["text/html", "application/xml"].map((accept) =>
		one(
			{
				...listed,
				addition: "Accept",
				name: `who asks for ${accept} gets JSON`,
			},
			get("/pets", { Accept: accept }),
			{
				status: 200,
				headers: { "Content-Type": "application/json" },
			},
		),
	),
	{
		...listed,
		addition: "HEAD",
		name: "HEAD answers like GET, without a body",
		steps: [
			given("rex"),
			{ request: get("/pets?limit=1"), expect: { status: 200 }, save: "page" },
			{
				request: { method: "HEAD", path: "/pets?limit=1" },
				expect: {
					status: 200,
					empty: true,
					headers: { ETag: "{page.etag}", "Content-Type": "application/json" },
				},
			},
			{
				request: { method: "HEAD", path: "/pets/{rex.id}" },
				expect: { status: 200, empty: true },
			},
			{
				request: { method: "HEAD", path: noPet },
				expect: { status: 404, empty: true },
			},
		],
	},
	one(
		{
			...listed,
			addition: "OPTIONS",
			name: "OPTIONS tells the methods, without a key",
		},
		{ method: "OPTIONS", path: "/pets", key: "none" },
		{
			status: 204,
			empty: true,
			headers: {
				Allow: "GET, HEAD, POST, OPTIONS",
				"Access-Control-Allow-Methods": null,
			},
		},
	),
	one(
		{
			...listed,
			addition: "OPTIONS",
			name: "OPTIONS tells a browser what it may send",
		},
		{
			method: "OPTIONS",
			path: "/pets/1",
			key: "none",
			headers: { Origin: "https://shop.example" },
		},
		{
			status: 204,
			headers: {
				Allow: "GET, HEAD, OPTIONS",
				"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
				"Access-Control-Allow-Headers":
					"Authorization, Content-Type, Idempotency-Key, If-None-Match",
				"Access-Control-Max-Age": /^\d+$/,
			},
		},
	),
	...(
		[
			["DELETE", "/pets", "GET, HEAD, POST, OPTIONS"],
			["POST", "/pets/1", "GET, HEAD, OPTIONS"],
		] as const
	).map(([method, path, allow]) =>
		one(
			{
				section: "4",
				addition: "Other methods on a known path",
				name: `${method} ${path} is a 405 that tells the others`,
			},
			{ method, path },
			{
				status: 405,
				error: "method_not_allowed",
				headers: { Allow: allow },
			},
		),
	),
	one(
		{
			section: "4",
			addition: "Other methods on a known path",
			name: "any method on an unknown path is a 404",
		},
		{ method: "DELETE", path: "/nothing" },
		{
			status: 404,
			error: "not_found",
		},
	),
	...["/healthz", "/readyz", "/openapi.json", "/"].map((path) =>
		one(
			{
				section: "1",
				addition: "Paths outside `/v1`",
				name: `${path} needs no key`,
			},
			{ path: `^${path}`, key: "none" },
			{
				status: 200,
				headers: { "Content-Type": "application/json" },
			},
		),
	),
	...["/pets", "/nothing"].map((path) =>
		one(
			{
				section: "9",
				addition: "Paths outside `/v1`",
				name: `${path} without the prefix is a 404`,
			},
			{ path: `^${path}`, key: "none" },
			{
				status: 404,
				error: "not_found",
			},
		),
	),
];
