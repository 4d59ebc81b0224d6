// Every operation of the operator interface refuses a caller without operator rights. The operations come from the contract, so the
// tests cover new operations too.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { keyScopes } from "../../src/domain/access/key-scope.ts";
import { operationsIn } from "../../src/interface/operation.ts";
import { operator } from "../../src/operator/interface.ts";
import { openService, type Service } from "../service.ts";

const apiKey = "a-key-known-to-the-tests";
let service: Service;
beforeAll(async () => {
	service = await openService("over a socket", { apiKey });
});
afterAll(() => service.close());

/** Operations that need less than operator rights, or none. */
const others: readonly string[] = [
	...["signIn", "readSession", "signOut"],
	"listChanges",
];

const operations = operationsIn(operator)
	.filter(({ id }) => !others.includes(id))
	.map(({ id, operation: { method, path } }) => ({
		id,
		method,
		path: operator.prefix + path.replace(/\{\w+\}/, "1"),
		body: method === "POST" || method === "PATCH" ? "{}" : undefined,
	}));

describe("Operator rights", () => {
	test.each(operations)(
		"$id answers only a valid key of the scope operator",
		async ({ method, path, body }) => {
			const scope = "operator";
			const expired = await service.makeKey({ scope, expiresAt: 1 });
			const outcomes: [string | undefined, number][] = [
				[undefined, 401],
				["x", 401],
				[expired, 401],
				[apiKey, 403],
			];
			for (const scope of keyScopes)
				if (scope !== "operator")
					outcomes.push([await service.makeKey({ scope }), 403]);
			for (const [key, status] of outcomes) {
				const authorization = key === undefined ? null : `Bearer ${key}`;
				const options = { method, body, authorization };
				const reply = await service.call(path, options);
				expect([key, reply.status]).toEqual([key, status]);
			}
			const { status } = await service.call(path, { method, body });
			expect([401, 403]).not.toContain(status);
		},
	);

	test("gives the feed to keys of all scopes except metrics", async () => {
		for (const scope of keyScopes) {
			const authorization = `Bearer ${await service.makeKey({ scope })}`;
			const path = "/operator/v1/changes";
			const { status } = await service.call(path, { authorization });
			expect([scope, status]).toEqual([scope, scope === "metrics" ? 403 : 200]);
		}
	});

	test("sends no CORS headers below /operator, and forbids other origins to embed a reply, whatever the request", async () => {
		const headers = {
			Origin: "https://shop.example",
			"Access-Control-Request-Method": "PATCH",
		};
		// `call` checks the headers of every reply.
		for (const path of [
			...operations.map((one) => one.path),
			"/operator/v1",
			"/operator/v1/nothing",
			"/operator/nothing",
			"/operator/openapi.json",
		])
			for (const method of ["OPTIONS", "GET", "PUT", "HEAD"])
				await service.call(path, { method, headers });
		const metrics = await fetch(`${service.url}/metrics`);
		const policy = metrics.headers.get("Cross-Origin-Resource-Policy");
		expect(policy).toBe("same-origin");
	});
});
