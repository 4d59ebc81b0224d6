// `petstore sandbox`: the banner, the log, the ready file, the browser and its flags. test/sandbox has what the sandbox does.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	lstatSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { toDemoPets } from "../../src/sandbox/demo-animals.ts";
import { type Running, waitFor } from "../harness/process.ts";
import { usePlace } from "./place.ts";

const place = usePlace();
const headers = { Authorization: "Bearer sandbox" };

/** Starts a sandbox, and waits for its ready file. */
async function sandbox(
	args = "",
	env: Record<string, string> = {},
): Promise<Running & { url: string }> {
	const running = place.start(
		`sandbox --port 0 --ready-file ready.json ${args}`,
		env,
	);
	const text = await waitFor(readReady, () => running.output().stderr);
	return { ...running, url: JSON.parse(text).url };
}

const readReady = () =>
	existsSync(place.path("ready.json"))
		? readFileSync(place.path("ready.json"), "utf8")
		: undefined;

const list = async (url: string): Promise<{ id: number; name: string }[]> =>
	(await fetch(`${url}/v1/pets?limit=100`, { headers })).json();

const shell = (line: string) =>
	execFileSync("sh", ["-c", line], { stdio: "pipe" }).toString();

describe("What the sandbox is", () => {
	test("prints the address, the key and working commands within 80 columns, a line for each request, and opens the reference page", async () => {
		const opened = place.path("opened");
		// A program in place of the one that opens browsers.
		const opener = place.path("xdg-open");
		writeFileSync(opener, `#!/bin/sh\necho "$1" > "${opened}"\n`);
		chmodSync(opener, 0o755);
		const PATH = `${place.path()}:${process.env.PATH}`;
		const running = await sandbox("--open", { PATH });
		const { url } = running;
		const page = await waitFor(
			() => existsSync(opened) && (readFileSync(opened, "utf8") || undefined),
			"no browser was opened",
		);
		expect(page).toBe(`${url}/docs\n`);
		const [banner] = await running.printed(/^.*Ctrl-C.*$/ms);
		for (const text of [url, "API key    sandbox", "250 animals"])
			expect(banner).toContain(text);
		const widest = Math.max(...banner.split("\n").map(({ length }) => length));
		expect(widest).toBeLessThanOrEqual(80);
		const [show = "", reset = ""] = banner.match(/curl .*/g) ?? [];
		expect(shell(show)).toStartWith('[{"id":250,"name":"');
		expect(shell(reset)).toBe("");
		await running.printed(
			/ 200 .* GET .*\/v1\/pets keyId=sandbox\n.* 204 .* POST .*\/sandbox\/reset$/m,
		);
		expect((await running.stop()).status).toBe(0);
	});

	test("takes its animals and its faults from its flags, and only the port from the environment", async () => {
		const chosen = [...toDemoPets(7, 3)];
		const names = chosen.map(({ name }) => name).reverse();
		const { url } = await sandbox(
			'--pets 7 --seed 3 --delay 50 --faults [{"delay":30,"times":2}]',
			{
				PETSTORE_DATABASE: "sqlite:other.db",
				PETSTORE_HOST: "0.0.0.0",
				PETSTORE_API_KEY: "another-key-of-the-tests",
				PETSTORE_RATE_LIMIT: "1/h",
			},
		);
		expect(url).toStartWith("http://127.0.0.1:");
		for (let count = 0; count < 2; count++) {
			const begun = performance.now();
			expect((await fetch(`${url}/v1/pets`)).status).toBe(401);
			expect((await list(url)).map(({ name }) => name)).toEqual(names);
			expect(performance.now() - begun).toBeGreaterThan(125);
		}
		const { port } = new URL(url);
		const { stderr } = await place.run("sandbox", { PORT: port });
		expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}`);
	});
});

describe("--ready-file", () => {
	const modeOf = (name: string) => lstatSync(place.path(name)).mode & 0o777;

	test("renames the file into place, and removes it at the stop", async () => {
		const { url, stop } = await sandbox();
		expect(readdirSync(place.path())).toEqual(["ready.json"]);
		expect(readReady()).toBe(`{"url":"${url}","key":"sandbox"}\n`);
		expect(modeOf("ready.json")).toBe(0o644);
		expect((await stop()).status).toBe(0);
		expect(readdirSync(place.path())).toEqual([]);
	});

	test("keeps the file of a running sandbox when another start fails, and the target of a link that was planted", async () => {
		writeFileSync(place.path("victim"), "precious");
		symlinkSync("victim", place.path("ready.json"));
		const running = place.start(
			"sandbox --port 0 --ready-file ready.json --key s3cret",
		);
		const [, port] = await running.printed(/127\.0\.0\.1:(\d+)/);
		await waitFor(
			() => lstatSync(place.path("ready.json")).isFile(),
			() => running.output().stderr,
		);
		expect(readFileSync(place.path("victim"), "utf8")).toBe("precious");
		expect(modeOf("ready.json")).toBe(0o600);
		const second = `sandbox --port ${port} --ready-file ready.json`;
		expect((await place.run(second)).status).toBe(1);
		expect(JSON.parse(readReady() ?? "")).toMatchObject({ key: "s3cret" });
	});

	test("- prints only the address and the key, and --stop-with-stdin stops when stdin ends", async () => {
		const running = place.shell(
			"(until [ -e asked ]; do sleep 0.05; done; echo ignored) | exec petstore sandbox --port 0 --ready-file - --stop-with-stdin",
		);
		const [, url = ""] = await running.printed(/"url":"([^"]+)"/);
		expect(await list(url)).toHaveLength(100);
		writeFileSync(place.path("asked"), "");
		const { status, stdout } = await running.finished;
		expect(status).toBe(0);
		expect(stdout).toBe(`{"url":"${url}","key":"sandbox"}\n`);
	});
});

test("--data gives the animals of the start, with their ids, and names the line of a wrong file", async () => {
	const file = place.path("pets.csv");
	writeFileSync(file, "id,name,categoryId\r\n7,Rex,9007199254740993\r\n");
	const { url } = await sandbox("--data pets.csv");
	const read = async () => (await fetch(`${url}/v1/pets`, { headers })).text();
	const rex =
		'[{"id":7,"name":"Rex","categoryId":9007199254740993,"status":"available"}]';
	expect(await read()).toBe(rex);
	await fetch(`${url}/sandbox/reset`, { method: "POST" });
	expect(await read()).toBe(rex);
	writeFileSync(file, "id,name,categoryId\n7,Rex,1\n7,Tom,1\n");
	expect(await place.run("sandbox --data pets.csv")).toMatchObject({
		status: 2,
		stderr: expect.stringContaining("pets.csv, line 3: "),
	});
});

describe("--allow-host", () => {
	const ask = async (url: string, Host: string, key?: string) => {
		const headers = { Host, ...(key && { Authorization: `Bearer ${key}` }) };
		return (await fetch(`${url}/sandbox/requests`, { headers })).status;
	};

	test("admits a host, and then the control paths need the key", async () => {
		const running = await sandbox(
			"--host 0.0.0.0 --allow-host petstore --key secret",
		);
		const url = `http://127.0.0.1:${new URL(running.url).port}`;
		expect(await ask(url, "petstore:8080")).toBe(401);
		expect(await ask(url, "petstore:8080", "secret")).toBe(200);
		expect(await ask(url, "evil.example", "secret")).toBe(403);
		const [, reset = ""] = await running.printed(
			/Allowed .*petstore.*^ {2}(curl -X POST.*?reset)$/ms,
		);
		expect(shell(reset.replace("curl", "curl -s -w '%{http_code}'"))).toBe(
			"204",
		);
	});

	test("takes a name with a port, an IPv6 address, or * for any host", async () => {
		const { url } = await sandbox(
			"--allow-host Petstore:8080 --allow-host fd00::1",
		);
		const hosts = ["petstore", "PETSTORE:9", "[fd00::1]:8080", "[fd00::2]"];
		const statuses = await Promise.all(
			hosts.map((host) => ask(url, host, "sandbox")),
		);
		expect(statuses).toEqual([200, 200, 200, 403]);
		rmSync(place.path("ready.json"));
		const any = await sandbox("--allow-host *");
		expect(await ask(any.url, "any.example", "sandbox")).toBe(200);
	});
});
