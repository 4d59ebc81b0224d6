// CORS: compares the list of exposed headers with the headers of real replies.
import { expect, test } from "bun:test";
import { toRate } from "../../src/http/rate-limit.ts";
import { add, openService } from "../service.ts";

const body = '{"name":"Rex","categoryId":1}';

test("exposes exactly the headers that the service sends to scripts of other origins", async () => {
	const service = await openService("over a socket", {
		logRequests: true,
		rateLimit: toRate("20/h"),
	});
	await add(service, body);
	await add(service, body, { "Idempotency-Key": "k" });
	const exhausted = `Bearer ${await service.makeKey()}`;
	for (let count = 0; count < 20; count++)
		await service.call("/v1/pets", { authorization: exhausted });

	const replies = [
		await service.call("/v1/pets?limit=1"),
		await service.call("/v1/pets", { method: "HEAD" }),
		await service.call("/v1/pets", { headers: { "If-None-Match": "*" } }),
		await service.call("/v1/pets", {
			method: "POST",
			body,
			headers: { "Idempotency-Key": "k" },
		}),
		await service.call("/v1/pets", { method: "POST", body: "{" }),
		await service.call("/v1/pets", { method: "PUT" }),
		await service.call("/v1/pets", { method: "OPTIONS" }),
		await service.call("/v1/pets", {
			method: "OPTIONS",
			headers: { Origin: "https://shop.example" },
		}),
		await service.call("/v1/pets", { authorization: null }),
		await service.call("/v1/pets", { authorization: exhausted }),
		await service.call("/v1/pets/1"),
		await service.call("/v1/nothing"),
		await service.call("/healthz"),
	];
	expect(replies.map(({ status }) => status)).toEqual([
		...[200, 200, 304, 201, 400, 405, 204, 204, 401, 429, 200, 404, 200],
	]);
	const sent = new Set(replies.flatMap(({ headers }) => [...headers.keys()]));
	const exposed = new Set<string>();
	for (const { headers } of replies)
		for (const name of exposedBy(headers)) exposed.add(name);
	expect([...exposed].sort()).toEqual(
		[...sent].filter((name) => !neverExposed.test(name)).sort(),
	);
	await service.close();
});

function exposedBy(headers: Headers): string[] {
	const list = headers.get("Access-Control-Expose-Headers") ?? "";
	return list.toLowerCase().split(", ");
}

/** Headers of CORS itself, headers that scripts can always read (Fetch standard), and headers that are for the browser alone. */
const neverExposed =
	/^(access-control-.*|cache-control|content-length|content-type|connection|transfer-encoding)$/;
