// A service whose connections have taken all files that it may open.
import { expect, test } from "bun:test";
import { petstore, run, start, waitFor } from "../harness/process.ts";
import { connect, request } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const limit = 64;

test("goes on with the connections that it has, says so in one line, and serves pages when others have closed", async () => {
	using folder = temporaryFolder();
	const options = { cwd: folder.path };
	const service = start(
		["sh", "-c", `ulimit -n ${limit}; exec "${petstore}" serve --port 0`],
		options,
	);
	const [, url = ""] = await service.printed(/"url":"([^"]+)"/);
	const makeKey = "keys create --name x --scope operator".split(" ");
	const key = (await run(makeKey, options)).stdout.trim();
	const open = () => connect(url).on("error", () => {});
	const first = open();
	const send = async (target: string, content = "") => {
		let received = "";
		first.removeAllListeners("data").on("data", (data) => {
			received += data.toString();
		});
		const length = `Content-Length: ${content.length}`;
		const lines = [`Authorization: Bearer ${key}`, length];
		first.write(request(target, lines, content));
		await waitFor(() => {
			const [head = "", body = ""] = received.split("\r\n\r\n");
			const [, length] = /^content-length: (\d+)/im.exec(head) ?? [];
			return length !== undefined && body.length >= Number(length);
		});
		return received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
	};
	expect(await send("GET /healthz")).toBe("200");
	const others = Array.from({ length: limit }, open);
	await service.printed(/"msg":"the limit of open files is reached/);
	const pet = '{"name":"Rex","categoryId":1}';
	expect(await send("POST /v1/pets", pet)).toBe("201");
	for (const path of ["/v1/pets", "/operator/v1/status", "/metrics"])
		expect([path, await send(`GET ${path}`)]).toEqual([path, "200"]);
	for (const target of ["GET /docs", "POST /operator/v1/backups"])
		expect([target, await send(target)]).toEqual([target, "503"]);
	for (const socket of others) socket.destroy();
	await waitFor(async () => (await fetch(`${url}/docs`)).status === 200);
	const { status, stderr } = await service.stop();
	expect(status).toBe(0);
	expect(stderr.split("the limit of open files")).toHaveLength(2);
	expect(stderr).not.toMatch(/"err":|not built/);
}, 30_000);
