// Cases of additions to the document: authentication.
import {
	add,
	addition,
	type Case,
	type CaseRequest,
	get,
	refusal,
	step,
	withoutKey,
} from "../case.ts";

/** With a valid key, each gets an error other than 401. */
const invalidRequests: readonly CaseRequest[] = [
	...[get("/nothing"), get("/pets?limit=0"), get("/pets/abc"), get("")],
	{ method: "DELETE", path: "/pets" },
];

const unauthenticated = refusal("unauthenticated");

const order = addition("5", "Order");
const scheme = addition("5", "Scheme");
const challenge = addition("5", "Challenge");

export const authenticationCases: readonly Case[] = [
	...invalidRequests.map((request) =>
		order(
			`${request.method ?? "GET"} ${request.path || "/v1"} without a key answers 401, whatever else is wrong with it`,
			step(withoutKey(request), unauthenticated),
		),
	),
	order(
		"an invalid body without a key is refused with 401, not 400",
		step(withoutKey(add("{")), unauthenticated),
	),
	...["bearer %", "BEARER %", "Bearer    %"].map((authorization) =>
		scheme(
			`Authorization "${authorization.replace("%", "KEY")}" is accepted`,
			step(withAuthorization(authorization), { status: 200 }),
		),
	),
	...[
		...["%", "Bearer", "Bearer:%", "Bearer\t%", "Bearer % %", "Bearer %,%"],
		...["Bearer %,Bearer %", "Bearer %\u00e9", "Token %", 'Bearer "%"'],
	].map((authorization) =>
		scheme(
			`Authorization "${authorization.replaceAll("%", "KEY")}" is refused with 401`,
			step(withAuthorization(authorization), unauthenticated),
		),
	),
	challenge(
		"the 401 to a request without a key names the scheme in WWW-Authenticate",
		step(withoutKey(get("/pets")), {
			status: 401,
			headers: { "WWW-Authenticate": 'Bearer realm="petstore"' },
		}),
	),
	challenge(
		"the 401 to an invalid key says invalid_token in WWW-Authenticate",
		step(withAuthorization("Bearer bad"), {
			status: 401,
			headers: {
				"WWW-Authenticate": 'Bearer realm="petstore", error="invalid_token"',
			},
		}),
	),
	addition("5", "Keys")(
		"a key that has the right form but was never created is refused with 401",
		step(
			withAuthorization(`Bearer pet_${"0".repeat(32)}37KSsp`),
			unauthenticated,
		),
	),
];

function withAuthorization(authorization: string): CaseRequest {
	return { path: "/pets?limit=1", key: { authorization } };
}
