// Who may call the paths of the sandbox, and that no other service has them.
import { describe, expect, test } from "bun:test";
import { openPetstore } from "../../src/petstore.ts";
import { sendRaw } from "../harness/raw.ts";
import { openService } from "../service.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const control = [
	"GET /sandbox/faults",
	"GET /sandbox/requests",
	"POST /sandbox/reset",
];
const send = (start: string, lines: readonly string[]) =>
	sendRaw(
		sandbox().url,
		[`${start} HTTP/1.1`, ...lines, "Content-Length: 0", "", ""].join("\r\n"),
	);

describe("Access to the sandbox", () => {
	test("answers requests of this machine, whose pages may read the reply, and 403 to others, which change nothing", async () => {
		const { add, names } = sandbox();
		await add("Rex");
		for (const [status, Host, Origin] of [
			[403, "localhost.shop.example"],
			[403, "shop.example:127.0.0.1"],
			[403, "127.0.0.2"],
			[403, "localhost", "null"],
			[403, "localhost", "http://localhost.shop.example"],
			[403, "localhost", "http://shop.example/localhost"],
			[403, "localhost", "file://localhost"],
			[200, "LOCALHOST:8080"],
			[200, "127.0.0.1:1"],
			[200, "localhost", "http://localhost:5173"],
			[200, "localhost", "https://127.0.0.1"],
			[200, "[::1]:8080", "http://[::1]:8080"],
		] as const)
			for (const start of [...control, "OPTIONS /sandbox/requests"]) {
				const lines = [
					`Host: ${Host}`,
					...(Origin ? [`Origin: ${Origin}`] : []),
				];
				if (status === 403) expect(await names(1)).toEqual(["Rex"]);
				const reply = await send(start, lines);
				const [, allowed] =
					/^Access-Control-Allow-Origin: (.*)\r$/m.exec(reply) ?? [];
				expect([lines, start, reply.slice(9, 11), allowed]).toEqual([
					...[lines, start, String(status).slice(0, 2)],
					status === 200 ? "*" : undefined,
				]);
			}
	});

	test("answers the paths for operators only with a local Host and a local Origin, and others with any Host", async () => {
		const key = "Authorization: Bearer sandbox";
		const statusOf = async (path: string, lines: readonly string[]) =>
			Number((await send(`GET ${path}`, [...lines, key])).slice(9, 12));
		for (const path of [
			...["/operator/v1/pets", "/operator/v1/sessions/current"],
			...["/operator/openapi.json", "/metrics"],
		])
			for (const [lines, status] of [
				[["Host: 127.0.0.1:1"], 200],
				[["Host: shop.example"], 403],
				[["Host: localhost", "Origin: http://shop.example"], 403],
			] as const)
				expect([path, lines, await statusOf(path, lines)]).toEqual([
					...[path, lines, status],
				]);
		for (const path of ["/v1/pets", "/healthz", "/", "/console"])
			expect(await statusOf(path, ["Host: shop.example"])).toBe(200);
	});

	test("lets a page of this machine read errors and send preflight requests", async () => {
		const origin = "http://localhost:5173";
		const asked = { "Access-Control-Request-Headers": "sandbox-fault" };
		for (const [path, method, status, allowed] of [
			["/sandbox/faults", "OPTIONS", 204, "sandbox-fault"],
			["/sandbox/faults", "POST", 405, null],
			["/sandbox/nothing", "GET", 404, null],
		] as const) {
			const headers = { Origin: origin, ...asked };
			const reply = await sandbox().call(path, { method, headers });
			expect(reply.status).toBe(status);
			expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
			expect(reply.headers.get("Access-Control-Allow-Headers")).toBe(allowed);
		}
	});
});

describe("Never elsewhere", () => {
	test("answers 404 to the paths of the sandbox, ignores its header and refuses its key in another service", async () => {
		await using service = await openService("over a socket");
		for (const start of control) {
			const [method = "", path = ""] = start.split(" ");
			expect((await service.call(path, { method })).status).toBe(404);
		}
		const headers = { "Sandbox-Fault": "status=503" };
		expect((await service.call("/v1/pets", { headers })).status).toBe(200);
		const authorization = "Bearer sandbox";
		const refused = await service.call("/v1/pets", { authorization });
		expect(refused.status).toBe(401);
	});

	test("refuses to listen for other machines without the hosts that clients use", async () => {
		for (const host of ["0.0.0.0", "127.0.0.2"]) {
			const opening = openPetstore({
				database: "sqlite::memory:",
				sandbox: { pets: 1, seed: 1 },
				address: { host, port: 0 },
			});
			await expect(opening).rejects.toThrow("without --allow-host");
		}
	});
});
