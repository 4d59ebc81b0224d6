// `petstore serve`: the start, the first key, its warnings, the log and the stop.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { open } from "../harness/connection.ts";
import { freePort } from "../harness/free-port.ts";
import { toLog } from "../harness/log.ts";
import { request } from "../harness/raw.ts";
import { apiKey, authorized, usePlace } from "./place.ts";

const place = usePlace();
const known = { PETSTORE_API_KEY: apiKey };
const data = () => readdirSync(place.path("data"));

const answers = (url: string) =>
	fetch(`${url}/healthz`).then(
		() => true,
		() => false,
	);

/** An add whose body is complete only after `sendMore`. */
async function startSlowAdd(url: string) {
	const connection = await open(url);
	const body = '{"name":"Rex","categoryId":1}';
	const headers = [
		`Authorization: Bearer ${apiKey}`,
		`Content-Length: ${body.length}`,
	];
	const reply = connection.send(
		request("POST /v1/pets", headers, body.slice(0, 5)),
	);
	await Bun.sleep(100);
	return { reply, finish: () => connection.sendMore(body.slice(5)) };
}

describe("start", () => {
	test("makes a first key for a new database, once, and prints a curl command that works", async () => {
		const first = await place.serve();
		const [, curl = ""] = await first.printed(/^ {2}(curl .*)$/m);
		expect(first.output().stdout.match(/pet_\w{38}/g)).toHaveLength(2);
		expect(first.output().stderr).not.toContain("pet_");
		expect((await place.shell(curl).finished).stdout).toBe("[]");
		await first.stop();
		const second = await place.serve();
		expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
		expect((await second.stop()).stdout).toBe("");
	});

	test("does not touch the database if the port is in use", async () => {
		const running = await place.serve("--database sqlite::memory:");
		await place.run("keys create --name x");
		const path = place.path("data/petstore.db");
		const state = () => [readFileSync(path), statSync(path).mtimeMs];
		const before = state();
		const { port } = new URL(running.url);
		const { status, stdout, stderr } = await place.run(`serve --port ${port}`);
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(/^petstore: .*: the port is in use.*--port.*\.\n$/);
		expect(state()).toEqual(before);
		expect(data()).toEqual(["petstore.db"]);
	});
});

test("warns about a short PETSTORE_API_KEY, and about connections of other machines without TLS", async () => {
	const warnings = async (
		args: string,
		env: Record<string, string> = known,
	) => {
		const { stop } = await place.serve(args, env);
		const log = toLog((await stop()).stderr);
		return log.filter(({ level }) => level === "warn").length;
	};
	expect(await warnings("--host localhost")).toBe(0);
	expect(await warnings("", { PETSTORE_API_KEY: "short" })).toBe(1);
	expect(await warnings("--host 0.0.0.0")).toBe(1);
}, 60_000);

describe("stop", () => {
	test("SIGTERM stops the service with status 0, closes the database, and logs JSON lines", async () => {
		const { url, stop } = await place.serve("", known);
		expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(200);
		const { status, stdout, stderr } = await stop();
		expect([status, stdout]).toEqual([0, ""]);
		const time = expect.stringMatching(/^\d{4}-.*Z$/);
		const database = "sqlite:data/petstore.db";
		expect(toLog(stderr)).toEqual([
			{ level: "info", time, url, database, msg: "listening" },
			expect.objectContaining({ signal: "SIGTERM", msg: "stopping" }),
			expect.objectContaining({ msg: "stopped" }),
		]);
		expect(data()).toEqual(["petstore.db"]);
	});

	test("answers 503 to /readyz while it drains, and still answers a request from before SIGTERM", async () => {
		const { url, kill, finished } = await place.serve("--drain 1", known);
		const slow = await startSlowAdd(url);
		kill("SIGTERM");
		let ready = await fetch(`${url}/readyz`);
		while (ready.status === 200) ready = await fetch(`${url}/readyz`);
		expect(ready.status).toBe(503);
		expect(await ready.json()).toMatchObject({ code: "unavailable" });
		expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(200);
		while (await answers(url)) await Bun.sleep(20);
		slow.finish();
		expect(await slow.reply).toStartWith("HTTP/1.1 201");
		expect((await finished).status).toBe(0);
	}, 20_000);

	test("ends the process immediately at a second signal", async () => {
		const service = await place.serve("", known);
		const slow = await startSlowAdd(service.url);
		slow.reply.catch(() => {});
		service.kill("SIGTERM");
		await service.printed(/"stopping"/);
		await Bun.sleep(300);
		expect((await service.stop()).status).toBe(128 + 15);
	});

	test("takes a different signal as a second one, and the same within a moment as one, since npm passes Ctrl-C on", async () => {
		for (const [second, status] of [
			["SIGTERM", 128 + 15],
			["SIGINT", 0],
		] as const) {
			const service = await place.serve("--drain 1");
			service.kill("SIGINT");
			await service.printed(/"stopping"/);
			service.kill(second);
			expect((await service.finished).status).toBe(status);
		}
	});
});

test("answers and stops normally if its log cannot be written", async () => {
	const port = await freePort();
	const { stop } = place.shell(
		`exec petstore serve --port ${port} --log-requests 2> /dev/full`,
	);
	const url = `http://127.0.0.1:${port}`;
	const isReady = async () =>
		(await answers(url)) && (await fetch(`${url}/readyz`)).status === 200;
	while (!(await isReady())) await Bun.sleep(10);
	expect((await fetch(`${url}/v1/nothing`)).status).toBe(401);
	expect((await stop()).status).toBe(0);
});
