// Cases of additions to the document: parameters, paths, media types and methods.
import {
	add,
	addition,
	type Case,
	get,
	given,
	hex,
	missingPet,
	newPet,
	oneStep,
} from "../case.ts";

const jsonTypes = [
	"APPLICATION/JSON",
	"application/json; charset=utf-8",
	"application/json;charset=latin1",
	"application/vnd.pets+json",
	"application/merge-patch+json;v=1",
];
const otherTypes = [
	"text/plain",
	"text/json",
	"application/x-www-form-urlencoded",
	"multipart/form-data; boundary=x",
	"application/jsonp",
	"application/xml",
	"application/json, application/json",
	"*/*",
];

export const requestCases: readonly Case[] = [
	..."0 101 1000 -1 05 5.0 1e1 +5 0x5 five %205 5%20 %D9%A5"
		.split(" ")
		.concat("")
		.map((limit) =>
			oneStep(
				addition("4.1", "`limit`"),
				`listPets answers 400 to limit=${limit} and names the parameter`,
				get(`/pets?limit=${limit}`),
				{ status: 400, error: "invalid_parameter", message: /limit/ },
			),
		),
	...["Available", "SOLD", "gone", "", "sold,pending"].map((status) =>
		oneStep(
			addition("4.1", "`status` filter"),
			`listPets answers 400 to status=${status} and names the parameter`,
			get(`/pets?status=${status}`),
			{ status: 400, error: "invalid_parameter", message: /status/ },
		),
	),
	...[
		"limit=5&limit=5",
		"limit=5&limit",
		"limit=5&%6Cimit=5",
		"status=sold&status=sold",
	].map((query) =>
		oneStep(
			addition("4.1", "The same known parameter twice"),
			`listPets answers 400 to ${query}`,
			get(`/pets?${query}`),
			{ status: 400, error: "invalid_parameter" },
		),
	),
	...["page=2&page=3", "Limit=0", "limit[]=0", "%zz=%zz", "&&="].map((query) =>
		oneStep(
			addition("4.1", "Unknown parameters"),
			`listPets ignores ${query}`,
			get(`/pets?limit=1&${query}`),
			{ status: 200, pets: { atMost: 1 } },
		),
	),
	{
		rule: addition("4.2", "Unknown parameters"),
		name: "createPet and getPet ignore all parameters",
		steps: [
			{
				request: { ...add(), path: "/pets?limit=0&status=x" },
				expect: { status: 201 },
				save: "rex",
			},
			{
				request: get("/pets/{rex.id}?limit=0"),
				expect: { status: 200, sameAs: "rex" },
			},
		],
	},
	{
		rule: addition("4.1", "Percent-encoding"),
		name: "percent-encoded names and values of parameters are decoded",
		steps: [
			given("rex"),
			{
				request: get("/pets?%6Cimit=%31&stat%75s=a%76ailable"),
				expect: { status: 200, pets: { exactly: 1, status: "available" } },
			},
		],
	},
	...["limit=%", "limit=%zz", "status=%ff", "cursor=%"].map((query) =>
		oneStep(
			addition("4.1", "Percent-encoding"),
			`listPets answers 400 to the broken percent-encoding in ${query}`,
			get(`/pets?${query}`),
			{ status: 400, error: "invalid_parameter" },
		),
	),
	..."abc 01 1.0 +1 1e0 0x1 %31 %20 9223372036854775808"
		.split(" ")
		.map((petId) =>
			oneStep(
				addition("4.3", "`petId` that is no int64"),
				`GET /pets/${petId} answers 404`,
				get(`/pets/${petId}`),
				{ status: 404, error: "not_found" },
			),
		),
	...[
		..."/pets/ //pets /Pets /%70ets /pets%2F1 /pets/1/ /pets/1/2 /".split(" "),
	].map((path) =>
		oneStep(addition("4", "Paths"), `GET ${path} answers 404`, get(path), {
			status: 404,
			error: "not_found",
		}),
	),
	...jsonTypes.map((type) =>
		oneStep(
			addition("4.2", "Content-Type of createPet"),
			`createPet reads a body of the type ${type} as JSON`,
			add(newPet, { "Content-Type": type }),
			{ status: 201 },
		),
	),
	...otherTypes.map((type) =>
		oneStep(
			addition("4.2", "Content-Type of createPet"),
			`createPet answers 415 to a body of the type ${type}`,
			add(newPet, { "Content-Type": type }),
			{ status: 415, error: "unsupported_media_type" },
		),
	),
	oneStep(
		addition("4.2", "Content-Type of createPet"),
		"createPet reads a body without a type as JSON",
		{ method: "POST", path: "/pets", body: { hex: hex(newPet) } },
		{ status: 201 },
	),
	...["gzip", "br", "gzip, identity"].map((encoding) =>
		oneStep(
			addition("4.2", "Content-Encoding"),
			`createPet answers 415 to a body with Content-Encoding ${encoding}`,
			add(newPet, { "Content-Encoding": encoding }),
			{ status: 415, error: "unsupported_media_type" },
		),
	),
	oneStep(
		addition("4.2", "Content-Encoding"),
		"createPet accepts a body with Content-Encoding identity",
		add(newPet, { "Content-Encoding": "Identity" }),
		{ status: 201 },
	),
	oneStep(
		addition("4.2", "Body size"),
		"createPet accepts a body of 64 KiB",
		add(newPet.padEnd(65_536)),
		{ status: 201 },
	),
	oneStep(
		addition("4.2", "Body size"),
		"createPet answers 413 to a body of 64 KiB and one byte",
		add(newPet.padEnd(65_537)),
		{ status: 413, error: "payload_too_large" },
	),
	...["text/html", "application/xml"].map((accept) =>
		oneStep(
			addition("4.1", "Accept"),
			`listPets answers with JSON to Accept: ${accept}`,
			get("/pets", { Accept: accept }),
			{ status: 200, headers: { "Content-Type": "application/json" } },
		),
	),
	{
		rule: addition("4.1", "HEAD"),
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
				request: { method: "HEAD", path: missingPet },
				expect: { status: 404, empty: true },
			},
		],
	},
	oneStep(
		addition("4.1", "OPTIONS"),
		"OPTIONS lists the methods of a path and needs no key",
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
	oneStep(
		addition("4.1", "OPTIONS"),
		"OPTIONS tells a browser which methods and headers it may send",
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
					"Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
				"Access-Control-Max-Age": /^\d+$/,
			},
		},
	),
	oneStep(
		addition("4.1", "OPTIONS"),
		"OPTIONS allows every header that a browser asks for",
		{
			method: "OPTIONS",
			path: "/pets",
			key: "none",
			headers: {
				Origin: "https://shop.example",
				"Access-Control-Request-Headers":
					"authorization,traceparent,x-requested-with",
			},
		},
		{
			status: 204,
			headers: {
				"Access-Control-Allow-Headers":
					"authorization,traceparent,x-requested-with",
				Vary: /Access-Control-Request-Headers/,
			},
		},
	),
	...["a,,b", "a b", "a: b"].map((asked) =>
		oneStep(
			addition("4.1", "OPTIONS"),
			`OPTIONS allows the known headers if a browser asks for ${asked}, which is no list of headers`,
			{
				method: "OPTIONS",
				path: "/pets",
				key: "none",
				headers: {
					Origin: "https://shop.example",
					"Access-Control-Request-Headers": asked,
				},
			},
			{
				status: 204,
				headers: { "Access-Control-Allow-Headers": /^Authorization, / },
			},
		),
	),
	...(
		[
			["DELETE", "/pets", "GET, HEAD, POST, OPTIONS"],
			["POST", "/pets/1", "GET, HEAD, OPTIONS"],
		] as const
	).map(([method, path, allow]) =>
		oneStep(
			addition("4", "Other methods on a known path"),
			`${method} ${path} answers 405 and lists the allowed methods`,
			{ method, path },
			{ status: 405, error: "method_not_allowed", headers: { Allow: allow } },
		),
	),
	oneStep(
		addition("4", "Other methods on a known path"),
		"DELETE on an unknown path answers 404, not 405",
		{ method: "DELETE", path: "/nothing" },
		{ status: 404, error: "not_found" },
	),
	oneStep(
		addition("4", "OPTIONS"),
		"OPTIONS on an unknown path answers 404",
		{ method: "OPTIONS", path: "/nothing" },
		{ status: 404, error: "not_found" },
	),
	...["/healthz", "/readyz", "/openapi.json", "/"].map((path) =>
		oneStep(
			addition("1", "Paths outside `/v1`"),
			`GET ${path} at the root of the server needs no key`,
			{ path: `^${path}`, key: "none" },
			{ status: 200, headers: { "Content-Type": "application/json" } },
		),
	),
	...["/pets", "/nothing"].map((path) =>
		oneStep(
			addition("9", "Paths outside `/v1`"),
			`GET ${path} without the prefix /v1 answers 404`,
			{ path: `^${path}`, key: "none" },
			{ status: 404, error: "not_found" },
		),
	),
];
