// Sign-in and sign-out of the console in the operator interface, and their refusals. These operations need no key.
import { Failure, failing } from "../../domain/errors.ts";
import { httpStatus, operationsOf, type Part } from "../operation.ts";
import { flag, object, text, time, whole64 } from "../schemas.ts";

export const refuseOrigin = failing(
	"forbidden",
	"A request that signs in or has a session cookie must come from a page of this service. Send Sec-Fetch-Site: same-origin or, without it, an Origin equal to the Host.",
);

export const refuseSite = failing(
	"forbidden",
	"A page of another site may not ask who is signed in: Sec-Fetch-Site, if it is sent, must be same-origin or none.",
);

export function refuseLink(): Failure {
	return new Failure(
		"unauthenticated",
		"The link is not valid: it was used before, is older than 10 minutes, or was made for another database. Make another with petstore console.",
		{ headers: { "WWW-Authenticate": 'Bearer realm="petstore"' } },
	);
}

export function refuseAttempt(max: number, seconds: number): Failure {
	return new Failure(
		"rate_limited",
		`Too many wrong attempts to sign in: at most ${max} a minute are answered; try again after ${seconds} s.`,
		{ headers: { "Retry-After": String(seconds) } },
	);
}

const password = { type: "string", format: "password" };

export const Credential = {
	type: "object",
	description: "Exactly one of the two.",
	minProperties: 1,
	maxProperties: 1,
	additionalProperties: false,
	properties: {
		key: { ...password, description: "An API key with the scope `operator`." },
		link: {
			...password,
			description: "The token of a link: the part after `#link=`.",
		},
	},
} as const;

const operation = operationsOf({ tag: "sessions" });

export const sessions = {
	tags: { sessions: "Sign in to the console, and out of it." },
	operations: {
		signIn: operation({
			method: "POST",
			path: "/sessions",
			session: "begins",
			summary: "Sign in",
			description:
				"Needs an API key with the scope `operator`, or the token of a link from `petstore console`. A link is valid once, for 10 minutes. " +
				"The reply sets the cookie of the session: `__Host-petstore` over HTTPS and behind a proxy with HTTPS, `petstore` over plain HTTP on this machine. Over plain HTTP from elsewhere it is refused. " +
				"A session ends after 12 hours without a request, after 7 days, when someone signs out, and with the key that made it. " +
				"The request must come from a page of the service: it needs `Sec-Fetch-Site: same-origin`, or else an `Origin` equal to the `Host`. So does every request with the cookie that is not a GET. " +
				"After 10 wrong attempts in a minute, a process answers further wrong ones with `rate_limited`. A valid key or link always signs in.",
			body: "Credential",
			example: { key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm" },
			success: { status: httpStatus.noContent, description: "Signed in." },
			errors: ["unauthenticated", "forbidden", "rate_limited"],
		}),
		readSession: operation({
			path: "/sessions/current",
			session: "reads",
			summary: "Ask who is signed in",
			description:
				"A page asks this when it opens, so the reply is a 200 with or without a session. This request does not extend the session: it still ends 12 hours after the last other request. " +
				"A request that the browser marks as one of another site, with `Sec-Fetch-Site: cross-site` or `same-site`, is refused.",
			success: {
				description: "Says whether someone is signed in, and names the key.",
				body: "Session",
				example: {
					signedIn: true,
					key: { id: 1, name: "Ada" },
					expiresAt: "2026-11-16T20:00:00.000Z",
				},
			},
			errors: ["forbidden"],
		}),
		signOut: operation({
			method: "DELETE",
			path: "/sessions/current",
			session: "ends",
			summary: "Sign out",
			description:
				"Ends the session and clears its cookie. Without a session nothing is done.",
			success: { status: httpStatus.noContent, description: "Signed out." },
			errors: ["forbidden"],
		}),
	},
	schemas: {
		Credential,
		Session: object(
			"Says whether someone is signed in, and names the key.",
			{
				signedIn: flag(
					"Whether the cookie of the request belongs to a session.",
				),
			},
			{
				key: object(
					"The key that made the session; absent if a link did, or a key that is not stored.",
					{
						id: whole64("The id of the key."),
						name: text("The name of the key."),
					},
				),
				name: text(
					"The name that `petstore console --as` gave to the link that made the session; absent without one.",
				),
				expiresAt: time("When the session ends if it is not used again."),
			},
		),
	},
} satisfies Part;

export type SessionOperationId = keyof typeof sessions.operations;
