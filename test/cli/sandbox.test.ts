// `petstore sandbox`: the banner, the log, the ready file, the browser, and what is refused.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
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
import { join } from "node:path";
import { createReadyFile } from "../../src/cli/commands/ready-file.ts";
import {
	type ProcessOptions,
	petstore,
	type Running,
	run,
	start,
	waitFor,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Starts a sandbox, and waits for its ready file. */
async function sandbox(
	args: readonly string[] = [],
	env: ProcessOptions["env"] = {},
): Promise<Running & { url: string }> {
	const file = join(folder.path, "ready.json");
	const running = start(
		[petstore, "sandbox", "--port", "0", "--ready-file", file, ...args],
		{ cwd: folder.path, env },
	);
	const text = await waitFor(
		() => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
		() => running.output().stderr,
	);
	const { url } = JSON.parse(text);
	return { ...running, url };
}

const headers = { Authorization: "Bearer sandbox" };

async function list(url: string): Promise<{ id: number; name: string }[]> {
	return (await fetch(`${url}/v1/pets?limit=100`, { headers })).json();
}

describe("What the sandbox is", () => {
	test("prints the address, the key, the reference page and working commands within 80 columns", async () => {
		const { url, output } = await sandbox();
		const banner = await waitFor(
			() => /^.*Ctrl-C.*$/ms.exec(output().stdout)?.[0],
			() => output().stdout,
		);
		for (const text of [
			url,
			"API key    sandbox",
			`${url}/docs`,
			`Control    ${url}/sandbox`,
			"250 animals",
		])
			expect(banner).toContain(text);
		const widest = Math.max(...banner.split("\n").map(({ length }) => length));
		expect(widest).toBeLessThanOrEqual(80);
		const [show = "", reset = ""] = banner.match(/curl .*/g) ?? [];
		const execute = (command: string) =>
			execFileSync("sh", ["-c", command], { stdio: "pipe" }).toString();
		expect(execute(show)).toStartWith('[{"id":250,"name":"');
		expect(execute(reset)).toBe("");
	});

	test("prints a readable line for each request on stderr, and writes nothing to the folder", async () => {
		const { url, output, kill, finished } = await sandbox();
		await list(url);
		await fetch(`${url}/sandbox/reset`, { method: "POST" });
		const lines = await waitFor(
			() => {
				const shown = output().stderr.trimEnd().split("\n");
				return shown.length === 2 ? shown : undefined;
			},
			() => output().stderr,
		);
		expect(lines[0]).toMatch(/ 200 .* GET .*\/v1\/pets keyId=sandbox$/m);
		expect(lines[1]).toMatch(/ 204 .* POST .*\/sandbox\/reset$/m);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(readdirSync(folder.path)).toEqual([]);
	});

	test("--pets and --seed choose the same animals at every start", async () => {
		const flags = ["--pets", "7", "--seed", "3"];
		const animals = await list((await sandbox(flags)).url);
		expect(animals).toHaveLength(7);
		expect(await list((await sandbox(flags)).url)).toEqual(animals);
	});

	test("reads only the port from the environment", async () => {
		const { url, output } = await sandbox([], {
			PETSTORE_DATABASE: "sqlite:other.db",
			PETSTORE_HOST: "0.0.0.0",
			PETSTORE_API_KEY: "another-key-of-the-tests",
			PETSTORE_RATE_LIMIT: "1/h",
		});
		expect(url).toStartWith("http://127.0.0.1:");
		expect(await list(url)).toHaveLength(100);
		expect(await list(url)).toHaveLength(100);
		const other = { Authorization: "Bearer another-key-of-the-tests" };
		const refused = await fetch(`${url}/v1/pets`, { headers: other });
		expect(refused.status).toBe(401);
		expect(output().stderr).not.toContain("{");
		const taken = new URL(url).port;
		const env = { PORT: taken };
		const { stderr } = await run(["sandbox"], { cwd: folder.path, env });
		expect(stderr).toContain(`Cannot listen on 127.0.0.1:${taken}`);
	});
});

describe("wrong usage", () => {
	test.concurrent.each([
		["sandbox --host 0.0.0.0", "without --allow-host"],
		["sandbox --data x.txt", "with or without .gz); rename the file."],
		["sandbox --faults {", "--faults must be JSON"],
		['sandbox --faults [{"status":1}]', "faults[0].status must be"],
		["sandbox --ready-file=", "--ready-file must be a path"],
	])("refuses %s: %s", async (line, message) => {
		const { path, remove } = temporaryFolder();
		const { status, stdout, stderr } = await run(line.split(" "), {
			cwd: path,
		});
		expect([status, stdout]).toEqual([2, ""]);
		expect(stderr).toStartWith("petstore: ");
		expect(stderr).toContain(message);
		expect(readdirSync(path)).toEqual([]);
		remove();
	});
});

describe("--ready-file", () => {
	const modeOf = (name: string) =>
		lstatSync(join(folder.path, name)).mode & 0o777;

	test("keeps a secret key from other users, and names the allowed hosts", async () => {
		const { output } = await sandbox([
			...["--key", "s3cret", "--allow-host", "petstore"],
			...["--host", "0.0.0.0", "--faults", '[{"status":503}]'],
		]);
		expect(modeOf("ready.json")).toBe(0o600);
		const banner = await waitFor(
			() => /^.*Ctrl-C.*$/ms.exec(output().stdout)?.[0],
			() => output().stdout,
		);
		expect(banner).toMatch(/Allowed .*petstore/s);
	});

	test("renames the file into place, and removes it at the stop", async () => {
		const { url, kill, finished } = await sandbox();
		expect(readdirSync(folder.path)).toEqual(["ready.json"]);
		const text = readFileSync(join(folder.path, "ready.json"), "utf8");
		expect(JSON.parse(text)).toEqual({ url, key: "sandbox" });
		expect(modeOf("ready.json")).toBe(0o644);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(readdirSync(folder.path)).toEqual([]);
	});

	test("keeps the file of a running sandbox when another start fails", async () => {
		const { url } = await sandbox();
		const file = join(folder.path, "ready.json");
		const before = readFileSync(file, "utf8");
		const { port } = new URL(url);
		const { status } = await run(
			["sandbox", "--port", port, "--ready-file", "ready.json"],
			{ cwd: folder.path },
		);
		expect([status, readFileSync(file, "utf8")]).toEqual([1, before]);
	});

	test("refuses a path that is not a regular file, and leaves it", async () => {
		mkdirSync(join(folder.path, "folder"));
		const args = ["sandbox", "--port", "0", "--ready-file", "folder"];
		const { status, stderr } = await run(args, { cwd: folder.path });
		expect([status, stderr]).toEqual([
			1,
			expect.stringContaining("cannot be written: it is not a regular file"),
		]);
		expect(readdirSync(folder.path)).toEqual(["folder"]);
	});

	test("does not write through a link that somebody has planted in the folder", () => {
		const path = join(folder.path, "ready.json");
		const victim = join(folder.path, "victim");
		writeFileSync(victim, "precious");
		const predicted = `${path}.${process.pid}`;
		for (const name of [path, predicted]) symlinkSync(victim, name);
		const ready = { url: "http://127.0.0.1:1", key: "sandbox" };
		createReadyFile(path).write(ready);
		expect(readFileSync(victim, "utf8")).toBe("precious");
		expect(lstatSync(path).isSymbolicLink()).toBe(false);
		expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(ready);
		rmSync(predicted);
		expect(readdirSync(folder.path).sort()).toEqual(["ready.json", "victim"]);
	});

	test("leaves a file that another sandbox has written", async () => {
		const { kill, finished } = await sandbox();
		const other = '{"url":"http://127.0.0.1:1","key":"sandbox"}\n';
		writeFileSync(join(folder.path, "ready.json"), other);
		kill("SIGTERM");
		await finished;
		expect(readdirSync(folder.path)).toEqual(["ready.json"]);
	});
});

describe("Programs that start the sandbox", () => {
	test("--ready-file - prints only the address and the key, and --stop-with-stdin stops when stdin ends", async () => {
		const script =
			"(until [ -e asked ]; do sleep 0.05; done; echo ignored) | exec $0 sandbox --port 0 --ready-file - --stop-with-stdin";
		const shell = start(["sh", "-c", script, petstore], { cwd: folder.path });
		const [, url = ""] = await waitFor(
			() => /"url":"([^"]+)"/.exec(shell.output().stdout) ?? undefined,
			() => shell.output().stderr,
		);
		expect(await list(url)).toHaveLength(100);
		writeFileSync(join(folder.path, "asked"), "");
		const { status, stdout } = await shell.finished;
		expect(status).toBe(0);
		expect(stdout).toBe(`{"url":"${url}","key":"sandbox"}\n`);
		expect(readdirSync(folder.path)).toEqual(["asked"]);
	});
});

describe.if(process.platform === "linux")("--open", () => {
	/** A program in place of the one that opens browsers. */
	function putBrowser(script: string): { PATH: string } {
		const program = join(folder.path, "xdg-open");
		writeFileSync(program, `#!/bin/sh\n${script}\n`);
		chmodSync(program, 0o755);
		return { PATH: `${folder.path}:${process.env.PATH}` };
	}

	test("opens the reference page", async () => {
		const env = putBrowser(`echo "$1" > "${folder.path}/opened"`);
		const { url, output } = await sandbox(["--open"], env);
		const file = join(folder.path, "opened");
		const opened = await waitFor(
			() => (existsSync(file) && readFileSync(file, "utf8")) || undefined,
			() => "no browser was opened",
		);
		expect(opened).toBe(`${url}/docs\n`);
		expect(output().stderr).toBe("");
	});

	test("prints one line if it cannot open a browser", async () => {
		const env = putBrowser("exit 3");
		const { url, output } = await sandbox(["--open"], env);
		await waitFor(
			() => output().stderr.match(/\n/) ?? undefined,
			() => "no line",
		);
		expect(output().stderr).toBe(
			`petstore: xdg-open could not open a browser; open ${url}/docs yourself.\n`,
		);
		expect(await list(url)).toHaveLength(100);
	});
});

describe("Own animals", () => {
	const rows = [
		["data.ndjson", '{"id":7,"name":"Rex","categoryId":9007199254740993}\n'],
		["data.csv", "id,name,categoryId\r\n7,Rex,9007199254740993\r\n"],
	];
	test.each(rows)(
		"--data %s starts with the animals of the file, and keeps their ids",
		async (name, text) => {
			writeFileSync(join(folder.path, name), text);
			const running = await sandbox(["--data", name]);
			const read = async () =>
				(await fetch(`${running.url}/v1/pets`, { headers })).text();
			const rex =
				'[{"id":7,"name":"Rex","categoryId":9007199254740993,"status":"available"}]';
			expect(await read()).toBe(rex);
			await fetch(`${running.url}/v1/pets`, {
				method: "POST",
				headers,
				body: '{"name":"Tom","categoryId":1}',
			});
			await fetch(`${running.url}/sandbox/reset`, { method: "POST" });
			expect(await read()).toBe(rex);
			running.kill("SIGTERM");
			await running.finished;
		},
	);

	test("numbers animals without ids from 1", async () => {
		writeFileSync(
			join(folder.path, "pets.csv"),
			"name,categoryId\nRex,1\nTom,1\n",
		);
		const running = await sandbox(["--data", "pets.csv"]);
		expect(await list(running.url)).toMatchObject([
			{ id: 2, name: "Tom" },
			{ id: 1, name: "Rex" },
		]);
		running.kill("SIGTERM");
		await running.finished;
	});

	test.each([
		["id,name,categoryId\n7,Rex,1\n7,Tom,1\n", "line 3: id 7 is used twice."],
		["name,categoryId\nRex,x\n", "line 2: categoryId must be"],
		["name\nRex\n", "line 1: "],
	])("refuses a file and names the line: %j", async (text, message) => {
		writeFileSync(join(folder.path, "pets.csv"), text);
		const args = ["sandbox", "--port", "0", "--data", "pets.csv"];
		const { status, stderr } = await run(args, { cwd: folder.path });
		expect(status).toBe(2);
		expect(stderr).toContain(`pets.csv, ${message}`);
	});

	test("refuses a missing file, and --data together with --pets", async () => {
		const options = { cwd: folder.path };
		const missing = await run(["sandbox", "--data", "no.csv"], options);
		expect([missing.status, missing.stderr]).toEqual([
			2,
			expect.stringContaining("The file no.csv of --data cannot be read"),
		]);
		const both = await run(
			["sandbox", "--data", "a.csv", "--pets", "1"],
			options,
		);
		expect(both.stderr).toContain("Give either --data or --pets.");
	});
});

describe("A sandbox for other machines", () => {
	test("--allow-host admits a host, and then the control paths need the key", async () => {
		const running = await sandbox([
			...["--host", "0.0.0.0", "--allow-host", "petstore", "--key", "secret"],
		]);
		const port = new URL(running.url).port;
		const call = async (path: string, host: string, key?: string) => {
			const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
				headers: {
					Host: host,
					...(key && { Authorization: `Bearer ${key}` }),
				},
			});
			return reply.status;
		};
		expect(await call("/sandbox/requests", "petstore:8080")).toBe(401);
		expect(await call("/sandbox/requests", "petstore:8080", "secret")).toBe(
			200,
		);
		expect(await call("/sandbox/requests", "evil.example", "secret")).toBe(403);
		expect(await call("/operator/v1/status", "petstore", "secret")).toBe(200);
		expect(await call("/v1/pets", "petstore", "sandbox")).toBe(401);
		const [, reset = ""] =
			/^ {2}(curl -X POST.*?reset)$/ms.exec(running.output().stdout) ?? [];
		const command = reset.replace("curl", "curl -s -w '%{http_code}'");
		expect(execFileSync("sh", ["-c", command]).toString()).toBe("204");
		running.kill("SIGTERM");
		await running.finished;
	});

	test("--allow-host takes a name with a port, an IPv6 address, or * for any host", async () => {
		const hosts = ["--allow-host", "Petstore:8080", "--allow-host", "fd00::1"];
		const running = await sandbox(hosts);
		const statuses = await Promise.all(
			["petstore", "PETSTORE:9", "[fd00::1]:8080", "[fd00::2]"].map(
				async (host) => {
					const sent = { headers: { Host: host, ...headers } };
					return (await fetch(`${running.url}/sandbox/faults`, sent)).status;
				},
			),
		);
		expect(statuses).toEqual([200, 200, 200, 403]);
		running.kill("SIGTERM");
		await running.finished;
		const any = await sandbox(["--allow-host", "*"]);
		const admitted = await fetch(`${any.url}/sandbox/requests`, {
			headers: { Host: "any.example", ...headers },
		});
		expect(admitted.status).toBe(200);
	});
});

test.each([
	["/v1/pets", 200, "sandbox"],
	["/operator/v1/status", 401, "wrong"],
])("--delay delays %s with a %i", async (path, status, key) => {
	const running = await sandbox(["--delay", "80"]);
	const send = async (path: string) => {
		const begun = performance.now();
		const headers = { Authorization: `Bearer ${key}` };
		const reply = await fetch(running.url + path, { headers });
		return { status: reply.status, ms: performance.now() - begun };
	};
	const delayed = await send(path);
	expect(delayed.status).toBe(status);
	expect(delayed.ms).toBeGreaterThan(75);
	// On a busy machine a reply can take as long without a delay, but not every reply does.
	for (const free of ["/healthz", "/sandbox/animals"])
		while ((await send(free)).ms >= 75);
	running.kill("SIGTERM");
	await running.finished;
});
