// Behaviour that only a socket shows: keys in odd places, odd hosts and targets, slow bodies.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { request, sendRaw } from "../harness/raw.ts";
import { openService, type Service } from "../service.ts";

const body = '{"name":"Rex","categoryId":1}';
let service: Service;
let key: string;

beforeAll(async () => {
	service = await openService("over a socket");
	key = await service.makeKey();
});
afterAll(() => service.close());

test("answers 401 to a key anywhere else than in one Authorization line", async () => {
	for (const lines of [
		["Authorization: Bearer %", "Authorization: Bearer x"],
		["Authorization: Basic x", "Authorization: Bearer %"],
		["X-API-Key: %", "API-Key: %", "Proxy-Authorization: Bearer %"],
		["Cookie: Authorization=Bearer %; key=%; access_token=%"],
		["Authorization-: Bearer %", "XAuthorization: Bearer %"],
	]) {
		const sent = lines.map((line) => line.replaceAll("%", key));
		const reply = await exchange(`GET /v1/pets?key=${key}`, sent);
		expect([lines, reply]).toEqual([
			...[lines, expect.stringMatching(/^HTTP\/1\.1 401/)],
		]);
		expect(reply).not.toContain(key);
	}
});

test("serves the requested path, whatever the Host header and the form of the target", async () => {
	for (const host of ["x/y", "a@b", "x:99999", "%zz", ""])
		for (const [path, status] of [
			["/v1/pets", 401],
			["/v1/x/..\\pets?limit=0", 401],
			["/v1/pets#top", 401],
			["//v1/pets", 404],
			["http://other.example/healthz", 200],
		] as const) {
			const reply = await exchange(`GET ${path}`, [], "", host);
			expect([host, path, reply.slice(9, 12)]).toEqual([
				...[host, path, String(status)],
			]);
		}
	expect(await exchange("CONNECT :99999", [])).toMatch(
		/^HTTP\/1\.1 4\d\d .*\{"code":"\w+","message":".+","status":4\d\d\}$/s,
	);
});

test("refuses two Host lines on every path, before the key is looked at", async () => {
	for (const path of ["/v1/pets", "/healthz", "/operator/v1/pets", "/x"]) {
		const reply = await exchange(`GET ${path}`, ["Host: x"]);
		expect([path, reply]).toEqual([
			...[path, expect.stringMatching(/^HTTP\/1\.1 400 .*"invalid_p/s)],
		]);
	}
});

test("answers 408 if a body has not arrived after 6 seconds, with Content-Length and with chunks", async () => {
	const authorization = `Authorization: Bearer ${key}`;
	const begun = performance.now();
	const replies = await Promise.all(
		[
			[`Content-Length: ${body.length}`, body.slice(0, 5)],
			["Transfer-Encoding: chunked", "5\r\nabcde\r\n"],
		].map(([framing = "", start]) =>
			sendRaw(
				service.url,
				`${request("POST /v1/pets", [authorization, framing])}${start}`,
			),
		),
	);
	expect(performance.now() - begun).toBeWithin(5_500, 15_000);
	for (const reply of replies) {
		expect(reply).toStartWith("HTTP/1.1 408");
		expect(reply).toContain('"code":"request_timeout"');
	}
}, 20_000);

/** Sends one request with `Connection: close` and returns everything that arrived. */
function exchange(
	start: string,
	headers: readonly string[],
	content = "",
	host = "x",
): Promise<string> {
	const lines = [`${start} HTTP/1.1`, `Host: ${host}`, ...headers];
	return sendRaw(
		service.url,
		`${lines.join("\r\n")}\r\nConnection: close\r\n\r\n${content}`,
	);
}
