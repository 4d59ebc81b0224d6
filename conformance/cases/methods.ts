// Cases of additions to the document: methods other than GET and POST.
import {
	addition,
	type Case,
	type CaseRequest,
	given,
	missingPet,
	reads,
	refusal,
	step,
} from "../case.ts";

const preflight = addition("4.1", "OPTIONS");
const otherMethods = addition("4", "Other methods on a known path");

const notFound = refusal("not_found");

export const methodCases: readonly Case[] = [
	addition("4.1", "HEAD")(
		"HEAD answers like GET, without a body",
		given("rex"),
		reads("/pets?limit=1", {}, "page"),
		step(
			{ method: "HEAD", path: "/pets?limit=1" },
			{
				status: 200,
				empty: true,
				headers: { ETag: "{page.etag}", "Content-Type": "application/json" },
			},
		),
		step(
			{ method: "HEAD", path: "/pets/{rex.id}" },
			{ status: 200, empty: true },
		),
		step({ method: "HEAD", path: missingPet }, { status: 404, empty: true }),
	),
	preflight(
		"OPTIONS lists the methods of a path and needs no key",
		step(options("/pets"), {
			status: 204,
			empty: true,
			headers: {
				Allow: "GET, HEAD, POST, OPTIONS",
				"Access-Control-Allow-Methods": null,
			},
		}),
	),
	preflight(
		"OPTIONS tells a browser which methods and headers it may send",
		step(options("/pets/1", { Origin: "https://shop.example" }), {
			status: 204,
			headers: {
				Allow: "GET, HEAD, OPTIONS",
				"Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
				"Access-Control-Allow-Headers":
					"Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
				"Access-Control-Max-Age": /^\d+$/,
			},
		}),
	),
	preflight(
		"OPTIONS allows every header that a browser asks for",
		step(askingFor("authorization,traceparent,x-requested-with"), {
			status: 204,
			headers: {
				"Access-Control-Allow-Headers":
					"authorization,traceparent,x-requested-with",
				Vary: /Access-Control-Request-Headers/,
			},
		}),
	),
	...["a,,b", "a b", "a: b"].map((asked) =>
		preflight(
			`OPTIONS allows the known headers if a browser asks for ${asked}, which is no list of headers`,
			step(askingFor(asked), {
				status: 204,
				headers: { "Access-Control-Allow-Headers": /^Authorization, / },
			}),
		),
	),
	...(
		[
			["DELETE", "/pets", "GET, HEAD, POST, OPTIONS"],
			["POST", "/pets/1", "GET, HEAD, OPTIONS"],
		] as const
	).map(([method, path, allow]) =>
		otherMethods(
			`${method} ${path} answers 405 and lists the allowed methods`,
			step(
				{ method, path },
				{ ...refusal("method_not_allowed"), headers: { Allow: allow } },
			),
		),
	),
	otherMethods(
		"DELETE on an unknown path answers 404, not 405",
		step({ method: "DELETE", path: "/nothing" }, notFound),
	),
	addition("4", "OPTIONS")(
		"OPTIONS on an unknown path answers 404",
		step({ method: "OPTIONS", path: "/nothing" }, notFound),
	),
];

function options(
	path: string,
	headers: Readonly<Record<string, string>> = {},
): CaseRequest {
	return { method: "OPTIONS", path, key: "none", headers };
}

/** The preflight request of a browser. */
function askingFor(names: string): CaseRequest {
	return options("/pets", {
		Origin: "https://shop.example",
		"Access-Control-Request-Headers": names,
	});
}
