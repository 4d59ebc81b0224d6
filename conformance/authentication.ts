// Beyond the document: who is let in, in detail.
import { add, type Case, get, one } from "./case.ts";

const locked = { section: "5" };

const plain = 'Bearer realm="petstore"';
const withError = 'Bearer realm="petstore", error="invalid_token"';

/** Requests that are wrong in some way, to show that the key comes first. */
const wrong = [
	{ path: "/nothing" },
	{ path: "/pets?limit=0" },
	{ path: "/pets/abc" },
	{ method: "DELETE", path: "/pets" },
	{ path: "" },
];

export const authenticationCases: readonly Case[] = [
	...wrong.map((request) =>
		one(
			{
				...locked,
				addition: "Order",
				name: `${request.method ?? "GET"} ${request.path || "/v1"} without a key is a 401, whatever else is wrong`,
			},
			{ ...request, key: "none" },
			{ status: 401, error: "unauthenticated" },
		),
	),
	one(
		{
			...locked,
			addition: "Order",
			name: "a body is not looked at without a key",
		},
		{ ...add("{"), key: "none" },
		{
			status: 401,
			error: "unauthenticated",
		},
	),
	...["bearer %", "BEARER %", "Bearer    %"].map((authorization) =>
		one(
			{
				...locked,
				addition: "Scheme",
				name: `"${authorization.replace("%", "KEY")}" is let in`,
			},
			{ path: "/pets?limit=1", key: { authorization } },
			{
				status: 200,
			},
		),
	),
	...[
		"%",
		"Bearer",
		"Bearer:%",
		"Bearer % %",
		"Bearer %,Bearer %",
		"Token %",
		'Bearer "%"',
	].map((authorization) =>
		one(
			{
				...locked,
				addition: "Scheme",
				name: `"${authorization.replaceAll("%", "KEY")}" is not let in`,
			},
			{ path: "/pets?limit=1", key: { authorization } },
			{ status: 401, error: "unauthenticated" },
		),
	),
	one(
		{
			...locked,
			addition: "Challenge",
			name: "who sends no key is told the scheme",
		},
		{ path: "/pets", key: "none" },
		{
			status: 401,
			headers: { "WWW-Authenticate": plain },
		},
	),
	one(
		{
			...locked,
			addition: "Challenge",
			name: "who sends a bad key is told so",
		},
		{ path: "/pets", key: { authorization: "Bearer bad" } },
		{
			status: 401,
			headers: { "WWW-Authenticate": withError },
		},
	),
	one(
		{
			...locked,
			addition: "Keys",
			name: "a key in our form that was never made is refused",
		},
		{
			path: "/pets",
			key: { authorization: `Bearer pet_${"0".repeat(32)}37KSsp` },
		},
		{ status: 401, error: "unauthenticated" },
	),
	{
		...locked,
		addition: "Scope",
		name: "a read key lists, and may not add",
		steps: [
			{
				request: { path: "/pets?limit=1", key: "read" },
				expect: { status: 200 },
			},
			{
				request: { ...add('{"name":"Forbidden","categoryId":1}'), key: "read" },
				expect: { status: 403, error: "forbidden" },
			},
			{
				request: get("/pets?limit=100"),
				expect: { status: 200, text: /^(?!.*"Forbidden")/s },
			},
		],
	},
];
