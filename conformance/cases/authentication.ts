// Cases of additions to the document: authentication.
import { add, addition, type Case, oneStep } from "../case.ts";

const challenge = 'Bearer realm="petstore"';
const challengeWithError = 'Bearer realm="petstore", error="invalid_token"';

/** With a valid key, each gets an error other than 401. */
const invalidRequests = [
	{ path: "/nothing" },
	{ path: "/pets?limit=0" },
	{ path: "/pets/abc" },
	{ method: "DELETE", path: "/pets" },
	{ path: "" },
];

export const authenticationCases: readonly Case[] = [
	...invalidRequests.map((request) =>
		oneStep(
			addition("5", "Order"),
			`${request.method ?? "GET"} ${request.path || "/v1"} without a key answers 401, whatever else is wrong with it`,
			{ ...request, key: "none" },
			{ status: 401, error: "unauthenticated" },
		),
	),
	oneStep(
		addition("5", "Order"),
		"an invalid body without a key is refused with 401, not 400",
		{ ...add("{"), key: "none" },
		{ status: 401, error: "unauthenticated" },
	),
	...["bearer %", "BEARER %", "Bearer    %"].map((authorization) =>
		oneStep(
			addition("5", "Scheme"),
			`Authorization "${authorization.replace("%", "KEY")}" is accepted`,
			{ path: "/pets?limit=1", key: { authorization } },
			{ status: 200 },
		),
	),
	...[
		"%",
		"Bearer",
		"Bearer:%",
		"Bearer\t%",
		"Bearer % %",
		"Bearer %,%",
		"Bearer %,Bearer %",
		"Bearer %\u00e9",
		"Token %",
		'Bearer "%"',
	].map((authorization) =>
		oneStep(
			addition("5", "Scheme"),
			`Authorization "${authorization.replaceAll("%", "KEY")}" is refused with 401`,
			{ path: "/pets?limit=1", key: { authorization } },
			{ status: 401, error: "unauthenticated" },
		),
	),
	oneStep(
		addition("5", "Challenge"),
		"the 401 to a request without a key names the scheme in WWW-Authenticate",
		{ path: "/pets", key: "none" },
		{ status: 401, headers: { "WWW-Authenticate": challenge } },
	),
	oneStep(
		addition("5", "Challenge"),
		"the 401 to an invalid key says invalid_token in WWW-Authenticate",
		{ path: "/pets", key: { authorization: "Bearer bad" } },
		{ status: 401, headers: { "WWW-Authenticate": challengeWithError } },
	),
	oneStep(
		addition("5", "Keys"),
		"a key that has the right form but was never created is refused with 401",
		{
			path: "/pets",
			key: { authorization: `Bearer pet_${"0".repeat(32)}37KSsp` },
		},
		{ status: 401, error: "unauthenticated" },
	),
];
