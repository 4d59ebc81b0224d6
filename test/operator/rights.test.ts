// Every operation of the operator interface refuses a caller without operator rights. The operations come from the contract, so the
// tests cover new operations too.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { keyScopes } from "../../src/domain/key-scope.ts";
import { operationsIn } from "../../src/interface/operation.ts";
import { operator } from "../../src/operator/interface.ts";
import { expectError, openService, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
	service = await openService("over a socket");
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
		"$id answers 403 to a key of another scope",
		async ({ method, path, body }) => {
			for (const scope of keyScopes) {
				const authorization = `Bearer ${await service.makeKey({ scope })}`;
				const options = { method, body, authorization };
				const response = await service.call(path, options);
				if (scope === "operator")
					expect([401, 403]).not.toContain(response.status);
				else await expectError(response, "forbidden", /scope operator/);
			}
		},
	);

	test.each(operations)(
		"$id answers 401 without a valid key",
		async ({ method, path, body }) => {
			const expiresAt = Date.now() - 1;
			const expired = await service.makeKey({ scope: "operator", expiresAt });
			for (const authorization of [null, "Bearer x", `Bearer ${expired}`]) {
				const options = { method, body, authorization };
				const response = await service.call(path, options);
				await expectError(response, "unauthenticated");
			}
		},
	);

	test("answers 403 to PETSTORE_API_KEY", async () => {
		const apiKey = "a-key-known-to-the-tests";
		const own = await openService("in process", { apiKey });
		const authorization = `Bearer ${apiKey}`;
		for (const { method, path, body } of operations) {
			const response = await own.call(path, { method, body, authorization });
			await expectError(response, "forbidden");
		}
		await own.close();
	});

	test("sends no CORS headers below /operator, whatever the request", async () => {
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
	});
});
