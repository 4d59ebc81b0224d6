// `petstore sandbox`: the banner, the log, the ready file, the browser and its flags. test/sandbox has what the sandbox does.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { type Running, waitFor } from "../harness/process.ts";
import { printed, usePlace } from "./place.ts";

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
	test("prints the address, the key and working commands within 80 columns, and a line for each request", async () => {
		const running = await sandbox();
		const { url } = running;
		const [banner] = await printed(running, /^.*Ctrl-C.*$/ms);
		for (const text of [url, "API key    sandbox", "250 animals"])
			expect(banner).toContain(text);
		const widest = Math.max(...banner.split("\n").map(({ length }) => length));
		expect(widest).toBeLessThanOrEqual(80);
		const [show = "", reset = ""] = banner.match(/curl .*/g) ?? [];
		expect(shell(show)).toStartWith('[{"id":250,"name":"');
		expect(shell(reset)).toBe("");
		await printed(
			running,
			/ 200 .* GET .*\/v1\/pets keyId=sandbox\n.* 204 .* POST .*\/sandbox\/reset$/m,
		);
		running.kill("SIGTERM");
		expect((await running.finished).status).toBe(0);
		expect(readdirSync(place.path())).toEqual([]);
	});

	test("--pets and --seed choose the same animals at every start", async () => {
		const animals = await list((await sandbox("--pets 7 --seed 3")).url);
		expect(animals).toHaveLength(7);
		rmSync(place.path("ready.json"));
		expect(await list((await sandbox("--pets 7 --seed 3")).url)).toEqual(
			animals,
		);
	});

	test("reads only the port from the environment", async () => {
		const { url } = await sandbox("", {
			PETSTORE_DATABASE: "sqlite:other.db",
			PETSTORE_HOST: "0.0.0.0",
			PETSTORE_API_KEY: "another-key-of-the-tests",
			PETSTORE_RATE_LIMIT: "1/h",
		});
		expect(url).toStartWith("http://127.0.0.1:");
		for (let count = 0; count < 2; count++)
			expect(await list(url)).toHaveLength(100);
		const { port } = new URL(url);
		const { stderr } = await place.run("sandbox", { PORT: port });
		expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}`);
	});

	test.each([
		["/v1/pets", 200, "sandbox"],
		["/operator/v1/status", 401, "wrong"],
	])("--delay delays %s with a %i", async (path, status, key) => {
		const { url } = await sandbox("--delay 80");
		const send = async (path: string) => {
			const begun = performance.now();
			const headers = { Authorization: `Bearer ${key}` };
			const reply = await fetch(url + path, { headers });
			return { status: reply.status, ms: performance.now() - begun };
		};
		const delayed = await send(path);
		expect(delayed.status).toBe(status);
		expect(delayed.ms).toBeGreaterThan(75);
		// On a busy machine a reply can take as long without a delay, but not every reply does.
		for (const free of ["/healthz", "/sandbox/animals"])
			while ((await send(free)).ms >= 75);
	});
});

describe("--ready-file", () => {
	const modeOf = (name: string) => lstatSync(place.path(name)).mode & 0o777;

	test("renames the file into place, and removes it at the stop", async () => {
		const { url, kill, finished } = await sandbox();
		expect(readdirSync(place.path())).toEqual(["ready.json"]);
		expect(readReady()).toBe(`{"url":"${url}","key":"sandbox"}\n`);
		expect(modeOf("ready.json")).toBe(0o644);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(readdirSync(place.path())).toEqual([]);
	});

	test("keeps the file of a running sandbox when another start fails, and a link that was planted", async () => {
		writeFileSync(place.path("victim"), "precious");
		symlinkSync("victim", place.path("ready.json"));
		const running = place.start(
			"sandbox --port 0 --ready-file ready.json --key s3cret",
		);
		const [, port] = await printed(running, /127\.0\.0\.1:(\d+)/);
		await waitFor(
			() => lstatSync(place.path("ready.json")).isFile() || undefined,
			() => running.output().stderr,
		);
		expect(readFileSync(place.path("victim"), "utf8")).toBe("precious");
		expect(modeOf("ready.json")).toBe(0o600);
		const second = `sandbox --port ${port} --ready-file ready.json`;
		expect((await place.run(second)).status).toBe(1);
		expect(JSON.parse(readReady() ?? "")).toMatchObject({ key: "s3cret" });
	});

	test("refuses a path that is not a regular file, and leaves it", async () => {
		mkdirSync(place.path("folder"));
		const args = "sandbox --port 0 --ready-file folder";
		expect((await place.run(args)).status).toBe(1);
		expect(readdirSync(place.path())).toEqual(["folder"]);
	});

	test("- prints only the address and the key, and --stop-with-stdin stops when stdin ends", async () => {
		const running = place.shell(
			"(until [ -e asked ]; do sleep 0.05; done; echo ignored) | exec petstore sandbox --port 0 --ready-file - --stop-with-stdin",
		);
		const [, url = ""] = await printed(running, /"url":"([^"]+)"/);
		expect(await list(url)).toHaveLength(100);
		writeFileSync(place.path("asked"), "");
		const { status, stdout } = await running.finished;
		expect(status).toBe(0);
		expect(stdout).toBe(`{"url":"${url}","key":"sandbox"}\n`);
	});
});

describe.if(process.platform === "linux")("--open", () => {
	/** A program in place of the one that opens browsers. */
	function putBrowser(script: string): { PATH: string } {
		writeFileSync(place.path("xdg-open"), `#!/bin/sh\n${script}\n`);
		chmodSync(place.path("xdg-open"), 0o755);
		return { PATH: `${place.path()}:${process.env.PATH}` };
	}

	test("opens the reference page", async () => {
		const env = putBrowser(`echo "$1" > "${place.path("opened")}"`);
		const { url } = await sandbox("--open", env);
		const opened = await waitFor(
			() =>
				(existsSync(place.path("opened")) &&
					readFileSync(place.path("opened"), "utf8")) ||
				undefined,
			() => "no browser was opened",
		);
		expect(opened).toBe(`${url}/docs\n`);
	});

	test("prints one line if it cannot open a browser, and goes on", async () => {
		const running = await sandbox("--open", putBrowser("exit 3"));
		await printed(running, /^petstore: xdg-open could not open .*\/docs/m);
		expect(await list(running.url)).toHaveLength(100);
	});
});

describe("--data", () => {
	test.each([
		["data.ndjson", '{"id":7,"name":"Rex","categoryId":9007199254740993}\n'],
		["data.csv", "id,name,categoryId\r\n7,Rex,9007199254740993\r\n"],
	])(
		"%s gives the animals of the start, with their ids",
		async (name, text) => {
			writeFileSync(place.path(name), text);
			const { url } = await sandbox(`--data ${name}`);
			const read = async () =>
				(await fetch(`${url}/v1/pets`, { headers })).text();
			const rex =
				'[{"id":7,"name":"Rex","categoryId":9007199254740993,"status":"available"}]';
			expect(await read()).toBe(rex);
			await fetch(`${url}/sandbox/reset`, { method: "POST" });
			expect(await read()).toBe(rex);
		},
	);

	test("numbers animals without ids from 1", async () => {
		writeFileSync(place.path("pets.csv"), "name,categoryId\nRex,1\nTom,1\n");
		const { url } = await sandbox("--data pets.csv");
		expect((await list(url)).map(({ id }) => id)).toEqual([2, 1]);
	});

	test.each([
		["id,name,categoryId\n7,Rex,1\n7,Tom,1\n", "line 3: id 7 is used twice."],
		["name,categoryId\nRex,x\n", "line 2: categoryId must be"],
		["name\nRex\n", "line 1: "],
	])("refuses a file and names the line: %j", async (text, message) => {
		writeFileSync(place.path("pets.csv"), text);
		const { status, stderr } = await place.run("sandbox --data pets.csv");
		expect(status).toBe(2);
		expect(stderr).toContain(`pets.csv, ${message}`);
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
		const [, reset = ""] = await printed(
			running,
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
