// Cases of additions to the document: parameters, paths and bodies of requests.
import {
	add,
	addition,
	type Case,
	get,
	given,
	hex,
	newPet,
	reads,
	refusal,
	step,
	withoutKey,
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

const percentEncoding = addition("4.1", "Percent-encoding");
const contentType = addition("4.2", "Content-Type of createPet");
const contentEncoding = addition("4.2", "Content-Encoding");
const bodySize = addition("4.2", "Body size");

const badParameter = refusal("invalid_parameter");
const notFound = refusal("not_found");
const created = { status: 201 };

export const requestCases: readonly Case[] = [
	..."0 101 1000 -1 05 5.0 1e1 +5 0x5 five %205 5%20 %D9%A5"
		.split(" ")
		.concat("")
		.map((limit) =>
			addition("4.1", "`limit`")(
				`listPets answers 400 to limit=${limit} and names the parameter`,
				step(
					get(`/pets?limit=${limit}`),
					refusal("invalid_parameter", /limit/),
				),
			),
		),
	...["Available", "SOLD", "gone", "", "sold,pending"].map((status) =>
		addition("4.1", "`status` filter")(
			`listPets answers 400 to status=${status} and names the parameter`,
			step(
				get(`/pets?status=${status}`),
				refusal("invalid_parameter", /status/),
			),
		),
	),
	...[
		...["limit=5&limit=5", "limit=5&limit", "limit=5&%6Cimit=5"],
		"status=sold&status=sold",
	].map((query) =>
		addition("4.1", "The same known parameter twice")(
			`listPets answers 400 to ${query}`,
			step(get(`/pets?${query}`), badParameter),
		),
	),
	...["page=2&page=3", "Limit=0", "limit[]=0", "%zz=%zz", "&&="].map((query) =>
		addition("4.1", "Unknown parameters")(
			`listPets ignores ${query}`,
			reads(`/pets?limit=1&${query}`, { pets: { atMost: 1 } }),
		),
	),
	addition("4.2", "Unknown parameters")(
		"createPet and getPet ignore all parameters",
		step({ ...add(), path: "/pets?limit=0&status=x" }, created, "rex"),
		reads("/pets/{rex.id}?limit=0", { sameAs: "rex" }),
	),
	percentEncoding(
		"percent-encoded names and values of parameters are decoded",
		given("rex"),
		reads("/pets?%6Cimit=%31&stat%75s=a%76ailable", {
			pets: { exactly: 1, status: "available" },
		}),
	),
	...["limit=%", "limit=%zz", "status=%ff", "cursor=%"].map((query) =>
		percentEncoding(
			`listPets answers 400 to the broken percent-encoding in ${query}`,
			step(get(`/pets?${query}`), badParameter),
		),
	),
	..."abc 01 1.0 +1 1e0 0x1 %31 %20 9223372036854775808"
		.split(" ")
		.map((petId) =>
			addition("4.3", "`petId` that is no int64")(
				`GET /pets/${petId} answers 404`,
				step(get(`/pets/${petId}`), notFound),
			),
		),
	..."/pets/ //pets /Pets /%70ets /pets%2F1 /pets/1/ /pets/1/2 /"
		.split(" ")
		.map((path) =>
			addition("4", "Paths")(
				`GET ${path} answers 404`,
				step(get(path), notFound),
			),
		),
	...jsonTypes.map((type) =>
		contentType(
			`createPet reads a body of the type ${type} as JSON`,
			step(add(newPet, { "Content-Type": type }), created),
		),
	),
	...otherTypes.map((type) =>
		contentType(
			`createPet answers 415 to a body of the type ${type}`,
			step(
				add(newPet, { "Content-Type": type }),
				refusal("unsupported_media_type"),
			),
		),
	),
	contentType(
		"createPet reads a body without a type as JSON",
		step(
			{ method: "POST", path: "/pets", body: { hex: hex(newPet) } },
			created,
		),
	),
	...["gzip", "br", "gzip, identity"].map((encoding) =>
		contentEncoding(
			`createPet answers 415 to a body with Content-Encoding ${encoding}`,
			step(
				add(newPet, { "Content-Encoding": encoding }),
				refusal("unsupported_media_type"),
			),
		),
	),
	contentEncoding(
		"createPet accepts a body with Content-Encoding identity",
		step(add(newPet, { "Content-Encoding": "Identity" }), created),
	),
	bodySize(
		"createPet accepts a body of 64 KiB",
		step(add(newPet.padEnd(65_536)), created),
	),
	bodySize(
		"createPet answers 413 to a body of 64 KiB and one byte",
		step(add(newPet.padEnd(65_537)), refusal("payload_too_large")),
	),
	...["text/html", "application/xml"].map((accept) =>
		addition("4.1", "Accept")(
			`listPets answers with JSON to Accept: ${accept}`,
			step(get("/pets", { Accept: accept }), {
				status: 200,
				headers: { "Content-Type": "application/json" },
			}),
		),
	),
	...["/healthz", "/readyz", "/openapi.json", "/"].map((path) =>
		addition("1", "Paths outside `/v1`")(
			`GET ${path} at the root of the server needs no key`,
			step(withoutKey(get(`^${path}`)), {
				status: 200,
				headers: { "Content-Type": "application/json" },
			}),
		),
	),
	...["/pets", "/nothing"].map((path) =>
		addition("9", "Paths outside `/v1`")(
			`GET ${path} without the prefix /v1 answers 404`,
			step(withoutKey(get(`^${path}`)), notFound),
		),
	),
];
