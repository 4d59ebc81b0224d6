// The executable for Windows, and the checkout as cmd.exe starts it, in Wine. docs/platforms.md says what Wine cannot show.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	cpSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { buildExecutable } from "../harness/executable.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import {
	type Running,
	root,
	run,
	serve,
	start,
	waitFor,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startWine, type Wine, wineProblem } from "../harness/wine.ts";

const problem = wineProblem();
if (problem !== undefined)
	console.log(`not run: the executable for Windows, since ${problem}`);

const apiKey = "a-key-for-the-tests";
const authorized = { headers: { Authorization: `Bearer ${apiKey}` } };
const folder = temporaryFolder();
let wine: Wine;
let executable: string;
/** A script that runs the executable in Wine. It uses exec, so that signals reach the service. */
const program = `${folder.path}/petstore`;

beforeAll(async () => {
	if (problem !== undefined) return;
	executable = (await buildExecutable(folder.path, "windows-x64")).path;
	const script = `#!/bin/sh\nexec wine '${executable}' "$@"\n`;
	writeFileSync(program, script, { mode: 0o755 });
	wine = await startWine(folder.path);
}, 120_000);
afterAll(async () => {
	await wine?.stop();
	folder.remove();
}, 30_000);

/** An empty folder on drive C:. */
function emptyPlace(name: string, env: Record<string, string> = {}) {
	const cwd = `${wine.drive}/${name}`;
	mkdirSync(cwd);
	return {
		cwd,
		program,
		env: { ...wine.env, PETSTORE_API_KEY: apiKey, ...env },
	};
}

describe.if(problem === undefined)("the executable", () => {
	test("prints its version, the OpenAPI document and the licences", async () => {
		const place = emptyPlace("version");
		const version = await run(["--version"], place);
		expect(version).toMatchObject({ status: 0, stderr: "" });
		expect(version.stdout).toStartWith(manifest.version);
		const document = readFileSync(`${root}openapi.json`, "utf8");
		expect((await run(["openapi"], place)).stdout).toBe(document);
		const licences = readFileSync(`${root}dist/licenses.txt`, "utf8");
		expect((await run(["licenses"], place)).stdout).toBe(licences);
	});

	test("keeps added animals after Ctrl-C and after a hard kill", async () => {
		const place = emptyPlace("kept", { PETSTORE_DATABASE: "sqlite:pets.db" });
		const first = await serve([], place);
		expect(await add(first.url, "Rex")).toBe(201);
		expect(await listNames(first.url)).toEqual(["Rex"]);
		await stop(first);
		expect(readdirSync(place.cwd)).toEqual(["pets.db"]);
		const second = await serve([], place);
		expect(await add(second.url, "Tom")).toBe(201);
		second.kill("SIGKILL");
		await second.finished;
		const third = await serve([], place);
		expect(await listNames(third.url)).toEqual(["Tom", "Rex"]);
		await stop(third);
	});

	test.each([
		["C:\\my shop\\data\\pets.db", "my shop/data"],
		["C:/slashes/pets.db", "slashes"],
	])("accepts %s as the database file", async (path, data) => {
		const place = emptyPlace(data.split("/")[0] ?? "");
		const service = await serve(["--database", `sqlite:${path}`], place);
		expect(await add(service.url, "Rex")).toBe(201);
		await stop(service);
		expect(readdirSync(`${wine.drive}/${data}`)).toEqual(["pets.db"]);
	});

	test("logs to stderr, even if another user has made a folder /proc on the drive", async () => {
		mkdirSync(`${wine.drive}/proc/self/fd`, { recursive: true });
		writeFileSync(`${wine.drive}/proc/self/fd/2`, "");
		await stop(await serve([], emptyPlace("log")));
	});

	test("refuses a port in use", async () => {
		const place = emptyPlace("refused");
		const service = await serve([], place);
		const { port } = new URL(service.url);
		const second = await run(["serve", "--port", port], place);
		expect(second.status).toBe(1);
		expect(second.stderr).toContain("the port is in use");
		await stop(service);
	});

	test("keeps other programs from deleting or replacing an open database", async () => {
		const place = emptyPlace("open", { PETSTORE_DATABASE: "sqlite:pets.db" });
		const service = await serve([], place);
		writeFileSync(`${place.cwd}/other.db`, "");
		for (const command of [
			"del pets.db",
			"ren pets.db old.db",
			"move /y other.db pets.db",
		])
			await runCmd(command, place).finished;
		expect(await add(service.url, "Rex")).toBe(201);
		await stop(service);
		expect(readdirSync(place.cwd).sort()).toEqual(["other.db", "pets.db"]);
	});

	test("serves the pages and their files, and passes all conformance cases as a sandbox", async () => {
		const service = await serve([], emptyPlace("sandbox"), "sandbox");
		for (const page of ["/", "/docs", "/console"])
			expect(await fetchPage(service.url, page)).toEqual(new Set([200]));
		await verify(`${service.url}/v1`, "sandbox");
		await stop(service);
	});

	test("passes all conformance cases on PostgreSQL", async () => {
		const database = await createDatabase();
		const place = emptyPlace("postgres", { PETSTORE_DATABASE: database.url });
		const service = await serve([], place);
		await verify(`${service.url}/v1`, apiKey);
		await stop(service);
		await database.remove();
	});

	test("runs the commands for animals, keys, files and backups beside the service, and leaves no temporary files", async () => {
		const place = emptyPlace("commands", {
			PETSTORE_DATABASE: "sqlite:data\\pets.db",
			TEMP: "C:\\commands\\temporary",
			TMP: "C:\\commands\\temporary",
		});
		mkdirSync(`${place.cwd}/temporary`);
		const service = await serve([], place);
		writeFileSync(`${place.cwd}/my pets.csv`, "name,categoryId\r\nRex,1\r\n");
		const { port } = new URL(service.url);
		for (const command of [
			["import", "my pets.csv"],
			["pets", "add", "--name", "Kätzchen", "--category", "9007199254740993"],
			["keys", "create", "--name", "someone"],
			["keys", "list"],
			["status"],
			["usage"],
			["check"],
			["health", "--ready", "--port", port],
			["backup", "one.db"],
			["backup", "--folder", "C:\\commands\\backups", "--keep", "1"],
			["check", "one.db"],
			["restore", "one.db", "--database", "sqlite:restored.db"],
			["export", "restored.ndjson", "--database", "sqlite:restored.db"],
		]) {
			const { status, stderr } = await run(command, place);
			expect([command, status, status === 0 ? "" : stderr]).toEqual([
				command,
				0,
				"",
			]);
		}
		await stop(service);
		expect(readFileSync(`${place.cwd}/restored.ndjson`, "utf8")).toBe(
			'{"id":1,"name":"Rex","categoryId":1,"status":"available"}\n' +
				'{"id":2,"name":"Kätzchen","categoryId":9007199254740993,"status":"available"}\n',
		);
		expect(readdirSync(`${place.cwd}/temporary`)).toEqual([]);
	});
});

describe.if(problem === undefined)("the command of npm start", () => {
	test("runs the service in cmd.exe, with its arguments, and ends with its status", async () => {
		const place = emptyPlace("checkout", {
			// Lets the executable run as Bun. It replaces Node.js too, which the tests do not download.
			BUN_BE_BUN: "1",
			WINEPATH: "C:\\checkout\\node",
			PETSTORE_DATABASE: "sqlite:C:\\checkout\\data\\pets.db",
		});
		copyCheckout(place.cwd);
		const { start: script } = manifest.scripts;
		const refused = runCmd(`${script} --port 99999`, place);
		expect(await refused.finished).toMatchObject({
			status: 2,
			stderr: expect.stringContaining("'99999' is invalid"),
		});
		const service = runCmd(`${script} "--port" "0"`, place);
		const url = await waitFor(
			() => /"url":"([^"]+)"/.exec(service.output().stderr)?.[1],
			() => service.output().stderr,
			20_000,
		);
		expect(await add(url, "Rex")).toBe(201);
		await runCmd("taskkill /f /im bun.exe", place).finished;
		await service.finished;
	}, 60_000);
});

/** Uses a file, because cmd.exe does not understand how Wine escapes quotes in arguments. */
function runCmd(
	command: string,
	{ cwd, env }: ReturnType<typeof emptyPlace>,
): Running {
	const file = `${folder.path}/command.cmd`;
	writeFileSync(file, `@${command}\r\n`);
	return start(["wine", "cmd", "/d", "/s", "/c", file], { cwd, env });
}

/** The checkout after `npm ci` on Windows, with links to the packages of this project. */
function copyCheckout(checkout: string): void {
	for (const part of [
		...["bin", "src", "conformance", "dist", "package.json", "exec.cmd"],
	])
		cpSync(root + part, `${checkout}/${part}`, { recursive: true });
	const modules = `${checkout}/node_modules`;
	for (const path of [modules, `${checkout}/node`]) mkdirSync(path);
	for (const name of readdirSync(`${root}node_modules`))
		if (!/^(\..*|bun|@oven)$/.test(name))
			symlinkSync(`${root}node_modules/${name}`, `${modules}/${name}`);
	mkdirSync(`${modules}/bun/bin`, { recursive: true });
	writeFileSync(`${modules}/bun/package.json`, "{}");
	linkSync(executable, `${modules}/bun/bin/bun.exe`);
	linkSync(executable, `${checkout}/node/node.exe`);
}

/** Wine turns the signal into Ctrl-C. */
async function stop(service: Running): Promise<void> {
	service.kill("SIGINT");
	const { status, stderr } = await service.finished;
	expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
}

async function add(url: string, name: string): Promise<number> {
	const reply = await fetch(`${url}/v1/pets`, {
		...authorized,
		method: "POST",
		body: JSON.stringify({ name, categoryId: 1 }),
	});
	return reply.status;
}

async function listNames(url: string): Promise<readonly unknown[]> {
	const reply = await fetch(`${url}/v1/pets`, authorized);
	const pets = await reply.json();
	return Array.isArray(pets) ? pets.map(({ name }) => name) : [pets];
}

/** The statuses of a page and all its files. */
async function fetchPage(url: string, path: string): Promise<Set<number>> {
	const page = await fetch(url + path, { headers: { Accept: "text/html" } });
	const files = [...(await page.text()).matchAll(/"(assets\/[^"]+)"/g)];
	expect([path, files.length > 2]).toEqual([path, true]);
	const replies = await Promise.all(
		files.map(([, file]) => fetch(`${url}/${file}`)),
	);
	return new Set([page, ...replies].map(({ status }) => status));
}

/** Runs the conformance kit on Linux. */
async function verify(url: string, key: string): Promise<void> {
	const { status, stdout } = await run(["verify", url, "--key", key], {
		cwd: folder.path,
	});
	expect([status, stdout]).toEqual([0, expect.stringContaining(" 0 failed")]);
}
