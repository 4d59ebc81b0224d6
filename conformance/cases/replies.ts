// Cases of additions to the document: bodies and headers of replies.
import {
	add,
	addition,
	type Case,
	get,
	given,
	missingPet,
	newPet,
	reads,
	refusal,
	step,
	withoutKey,
} from "../case.ts";

const deprecationHeaders = {
	Deprecation: "@1764892800",
	Sunset: "Thu, 05 Dec 2030 00:00:00 GMT",
	Link: '</v1/pets>; rel="successor-version"',
};
const noDeprecation = { Deprecation: null, Sunset: null };

const errors = addition("7", "Errors");
const mediaType = addition("1", "Content-Type of replies");
const code = addition("7", "`code`");
const memberOrder = addition("2", "Member order");
const deprecation = addition("4.3", "Deprecation");
const openApiVersions = addition("9", "OpenAPI versions");

const unauthenticated = withoutKey(get("/pets"));
const openApi = withoutKey(get("^/openapi.json"));

export const replyCases: readonly Case[] = [
	errors(
		"the reply to an unknown path is an Error with the code not_found",
		step(get("/nothing"), refusal("not_found")),
	),
	errors(
		"the reply to a wrong method is an Error with the code method_not_allowed",
		step({ method: "DELETE", path: "/pets" }, refusal("method_not_allowed")),
	),
	errors(
		"the reply to a wrong media type is an Error with the code unsupported_media_type",
		step(
			add(newPet, { "Content-Type": "text/plain" }),
			refusal("unsupported_media_type"),
		),
	),
	...(
		[
			["a list", get("/pets"), 200],
			["an animal", add(), 201],
			["an Error", get(missingPet), 404],
			["a 401", unauthenticated, 401],
		] as const
	).map(([what, request, status]) =>
		mediaType(
			`the Content-Type of ${what} is exactly application/json`,
			step(request, {
				status,
				headers: { "Content-Type": "application/json" },
			}),
		),
	),
	code(
		"the Error for a missing animal has the code not_found",
		step(get(missingPet), refusal("not_found")),
	),
	code(
		"the Error for an invalid body has the code invalid_body",
		step(add("{}"), refusal("invalid_body")),
	),
	addition("7", "`message`")(
		"the message of an Error names every field that is wrong",
		step(add('{"name":1,"status":"x"}'), {
			status: 400,
			message: /name.*categoryId.*status/,
		}),
	),
	memberOrder(
		"the members of a Pet are in the order id, name, categoryId, status",
		step(add('{"status":"sold","categoryId":1,"name":"x"}'), {
			status: 201,
			text: /^\{"id":\d+,"name":"x","categoryId":1,"status":"sold"\}$/,
		}),
	),
	memberOrder(
		"the members of an Error are in the order code, message, status",
		step(get(missingPet), {
			status: 404,
			text: /^\{"code":"not_found","message":"[^"]+","status":404\}$/,
		}),
	),
	addition("4.2", "201")(
		"a 201 has the address of the animal in Location",
		step(
			add(),
			{ status: 201, headers: { Location: /^\/v1\/pets\/\d+$/ } },
			"rex",
		),
		reads("^{rex.location}", { sameAs: "rex" }),
	),

	deprecation(
		"every reply of getPet has the headers Deprecation, Sunset and Link",
		given("rex"),
		reads("/pets/{rex.id}", { headers: deprecationHeaders }),
		...[missingPet, "/pets/abc"].map((path) =>
			step(get(path), { status: 404, headers: deprecationHeaders }),
		),
		step(
			{ method: "HEAD", path: "/pets/{rex.id}" },
			{ status: 200, headers: deprecationHeaders },
		),
		step(get("/pets/{rex.id}", { "If-None-Match": "*" }), {
			status: 304,
			headers: deprecationHeaders,
		}),
	),
	deprecation(
		"getPet without a key has no deprecation headers",
		step(withoutKey(get("/pets/1")), { status: 401, headers: noDeprecation }),
	),
	addition("9", "Deprecation")(
		"listPets has no deprecation headers",
		reads("/pets", { headers: noDeprecation }),
	),
	addition("9", "Deprecation")(
		"createPet has no deprecation headers",
		step(add(), { status: 201, headers: noDeprecation }),
	),

	...(
		[
			["a list", get("/pets"), 200],
			["an Error", get(missingPet), 404],
			["a 401", unauthenticated, 401],
		] as const
	).map(([what, request, status]) =>
		addition("1", "Cross-origin use")(
			`scripts of any origin may read ${what}`,
			step(request, {
				status,
				headers: {
					"Access-Control-Allow-Origin": "*",
					"Access-Control-Expose-Headers":
						/^(?=.*Link)(?=.*Location)(?=.*ETag)(?=.*Deprecation)(?=.*Sunset)(?=.*Retry-After)(?=.*WWW-Authenticate)(?=.*Idempotency-Replayed)(?=.*RateLimit)(?=.*X-Request-Id)(?=.*Allow)(?=.*Date)/,
				},
			}),
		),
	),
	addition("1", "Request ids")(
		"an X-Request-Id of up to 64 letters, digits, dots, underscores and hyphens comes back",
		...["x", "Az09._-".padEnd(64, "x")].flatMap((id) => {
			const headers = { "X-Request-Id": id };
			return [
				step(get("/pets", headers), { status: 200, headers }),
				step(get(missingPet, headers), { status: 404, headers }),
			];
		}),
	),
	addition("9", "Base addresses")(
		"the OpenAPI document names a server whose address ends with /v1",
		step(openApi, {
			status: 200,
			text: /"servers": \[\s*\{\s*"url": "[^"]*\/v1"/,
		}),
	),
	addition("9", "Versions")(
		"the OpenAPI document has the version 1.0.0",
		step(openApi, { status: 200, text: /"version": "1\.0\.0"/ }),
	),
	openApiVersions(
		"/openapi.json?version=3.0 is the OpenAPI document in OpenAPI 3.0",
		step(withoutKey(get("^/openapi.json?version=3.0")), {
			status: 200,
			text: /"openapi": "3\.0\.\d+"/,
		}),
	),
	openApiVersions(
		"/openapi.json with a version that is neither 3.1 nor 3.0 answers 400",
		step(
			withoutKey(get("^/openapi.json?version=2.0")),
			refusal("invalid_parameter"),
		),
	),
	addition("9", "OpenAPI document")(
		"the OpenAPI document requires the status of a Pet",
		step(openApi, {
			status: 200,
			text: /"required": \[\s*"id",\s*"name",\s*"categoryId",\s*"status"\s*\]/,
		}),
	),
];
