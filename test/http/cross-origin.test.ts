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

	const headers = { "Idempotency-Key": "k" };
	const ifNoneMatch = { "If-None-Match": "*" };
	const replies: Response[] = [];
	for (const [status, path, options] of [
		[200, "/v1/pets?limit=1", {}],
		[200, "/v1/pets", { method: "HEAD" }],
		[304, "/v1/pets", { headers: ifNoneMatch }],
		[201, "/v1/pets", { method: "POST", body, headers }],
		[400, "/v1/pets", { method: "POST", body: "{" }],
		[405, "/v1/pets", { method: "PUT" }],
		[204, "/v1/pets", { method: "OPTIONS" }],
		[401, "/v1/pets", { authorization: null }],
		[429, "/v1/pets", { authorization: exhausted }],
		[200, "/v1/pets/1", {}],
		[404, "/v1/nothing", {}],
		[200, "/healthz", {}],
	] as const) {
		const reply = await service.call(path, options);
		expect([path, reply.status]).toEqual([path, status]);
		replies.push(reply);
	}
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
