// The executable as the only file of a machine does everything that the program does from its source.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hash } from "node:crypto";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readCommit } from "../../build/executable/commit.ts";
import manifest from "../../package.json" with { type: "json" };
import { maxEventLoopChanges } from "../../src/store/sqlite/requests/writer/placement.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { apiKey } from "../harness/copies.ts";
import { addDemoAnimals } from "../harness/demo-animals.ts";
import {
	buildExecutable,
	type Executable,
	toBareEnvironment,
} from "../harness/executable.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { root, run, serve, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
let executable: Executable;
beforeAll(async () => {
	folder = temporaryFolder();
	executable = await buildExecutable(folder.path);
}, 60_000);
afterAll(() => folder.remove());

const isLinux = process.platform === "linux";

/** An empty folder for one test. */
function emptyPlace(env: Record<string, string> = {}) {
	const { path: cwd } = temporaryFolder();
	return {
		cwd,
		env: { ...toBareEnvironment(cwd), ...env },
		program: executable.path,
	};
}

/** Runs commands in one place. All must succeed. Returns the output of the last one. */
async function runAll(
	place: ReturnType<typeof emptyPlace>,
	...commands: readonly (readonly string[])[]
): Promise<string> {
	let last = "";
	for (const command of commands) {
		const { status, stdout, stderr } = await run(command, place);
		expect([command, status, status === 0 ? "" : stderr]).toEqual([
			command,
			0,
			"",
		]);
		last = stdout;
	}
	return last;
}

describe("alone in a folder", () => {
	test("names its version and the commit that it was built from", async () => {
		const commit = readCommit();
		const suffix = commit === undefined ? "" : ` (${commit})`;
		expect(await runAll(emptyPlace(), ["--version"])).toBe(
			`${manifest.version}${suffix}\n`,
		);
	});

	test("has the checksum of SHA256SUMS, and contains no path of the machine that built it", () => {
		const bytes = readFileSync(executable.path);
		expect(executable.checksums).toStartWith(`${hash("sha256", bytes)}  `);
		expect(bytes.includes(root)).toBe(false);
	});

	test("prints the OpenAPI document and the help", async () => {
		const place = emptyPlace();
		const document = readFileSync(`${root}openapi.json`, "utf8");
		expect(await runAll(place, ["openapi"])).toBe(document);
		expect(await runAll(place, ["--help"])).toContain("health");
	});

	test("ignores Bun's settings and a .env file in the current folder", async () => {
		const place = emptyPlace();
		const write = (name: string, text: string) =>
			writeFileSync(`${place.cwd}/${name}`, text);
		write(".env", "PETSTORE_BASE_URL=not-an-address\n");
		write("bunfig.toml", 'preload = ["./preload.ts"]\n');
		write("preload.ts", "process.exit(3);\n");
		write("tsconfig.json", "{");
		write("package.json", "{");
		await runAll(place, ["openapi"]);
	});

	test("leaves no file in the current folder and the home folder", async () => {
		const place = emptyPlace();
		await runAll(place, ["--version"], ["openapi"]);
		expect(readdirSync(place.cwd)).toEqual([]);
	});

	test("runs the sandbox", async () => {
		const service = await serve([], emptyPlace(), "sandbox");
		const reply = await fetch(`${service.url}/v1/pets?limit=3`, {
			headers: { Authorization: "Bearer sandbox" },
		});
		expect(await reply.json()).toHaveLength(3);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});

	test("serves with a certificate", async () => {
		const place = emptyPlace();
		const { certificate, key } = makeCertificate(place.cwd, "own");
		const tls = ["--tls-cert", certificate, "--tls-key", key];
		const service = await serve(tls, place);
		const { port } = new URL(service.url);
		await runAll(place, ["health", "--port", port, ...tls.slice(0, 2)]);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
		const after = await run(["health", "--port", port], place);
		expect(after.status).toBe(1);
	});

	test.skipIf(!isLinux)(
		"writes many changes on the writer thread",
		async () => {
			const place = emptyPlace({ PETSTORE_DATABASE: "sqlite:petstore.db" });
			const count = maxEventLoopChanges + 1;
			await addDemoAnimals(`sqlite:${place.cwd}/petstore.db`, count);
			const service = await serve([], place);
			const key = await runAll(place, [
				...["keys", "create", "--name", "operator", "--scope", "operator"],
			]);
			expect(threadsOf(service.pid)).not.toContain("Worker");
			const reply = await fetch(`${service.url}/operator/v1/pets/batch`, {
				method: "POST",
				headers: {
					Authorization: `Bearer ${key.trim()}`,
					"Content-Type": "application/json",
				},
				body: JSON.stringify({
					changes: Array.from({ length: count }, (_, index) => ({
						petId: index + 1,
						set: { status: "sold" },
					})),
				}),
			});
			expect(await reply.json()).toMatchObject({ changed: count, removed: 0 });
			expect(threadsOf(service.pid)).toContain("Worker");
			service.kill("SIGTERM");
			expect((await service.finished).status).toBe(0);
		},
	);
});

describe.each(["sqlite", "postgres"] as const)("on %s", (engine) => {
	let database: Awaited<ReturnType<typeof createDatabase>>;
	let place: ReturnType<typeof emptyPlace>;
	beforeAll(async () => {
		place = emptyPlace();
		database =
			engine === "postgres"
				? await createDatabase()
				: { url: `sqlite:${place.cwd}/petstore.db`, remove: async () => {} };
		place = {
			...place,
			env: { ...place.env, PETSTORE_DATABASE: database.url },
		};
	});
	afterAll(() => database.remove());

	test("serves the interface and the pages, and stops", async () => {
		symlinkSync(executable.path, `${place.cwd}/link`);
		const service = await serve([], {
			...place,
			env: { ...place.env, PETSTORE_API_KEY: apiKey },
			program: "./link",
		});
		await runAll(
			place,
			["health", "--ready", "--url", service.url],
			["verify", `${service.url}/v1`, "--key", apiKey],
		);
		for (const page of ["/", "/docs", "/console"])
			await expectPage(service.url, page);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	}, 60_000);

	test("runs the commands for animals, keys, files and backups", async () => {
		const other = `sqlite:${place.cwd}/other.db`;
		const pets =
			'{"name":"Rex","categoryId":1}\n{"name":"Tom","categoryId":2}\n';
		writeFileSync(`${place.cwd}/pets.ndjson`, pets);
		await runAll(
			place,
			["import", "pets.ndjson"],
			["pets", "add", "--name", "Kitty", "--category", "3"],
			["keys", "create", "--name", "someone"],
			["keys", "list"],
			["status"],
			["usage"],
			["check"],
			["backup", "--folder", "backups"],
		);
		const [backup = ""] = readdirSync(`${place.cwd}/backups`);
		await runAll(
			place,
			["check", `backups/${backup}`],
			["restore", `backups/${backup}`, "--database", other],
		);
		const exported = await runAll(place, ["export"]);
		expect(exported).toContain('"Kitty"');
		expect(await runAll(place, ["export", "--database", other])).toBe(exported);
	}, 60_000);
});

test("starts through a link with a relative path", async () => {
	const { cwd, env } = emptyPlace();
	symlinkSync(executable.path, `${cwd}/link`);
	const { status, stdout } = await start(["./link", "--version"], { cwd, env })
		.finished;
	expect([status, stdout]).toEqual([
		0,
		expect.stringContaining(manifest.version),
	]);
});

/** Loads a page and all its files. */
async function expectPage(url: string, path: string): Promise<void> {
	const reply = await fetch(url + path, { headers: { Accept: "text/html" } });
	const html = await reply.text();
	const assets = [...html.matchAll(/"(assets\/[^"]+)"/g)].map(
		([, asset = ""]) => `/${asset}`,
	);
	const statuses = await Promise.all(
		assets.map(async (asset) => (await fetch(url + asset)).status),
	);
	expect([path, reply.status, assets.length > 2, new Set(statuses)]).toEqual([
		path,
		200,
		true,
		new Set([200]),
	]);
}

/** The names of the threads of a process. */
function threadsOf(pid: number): readonly string[] {
	return readdirSync(`/proc/${pid}/task`).map((task) =>
		readFileSync(`/proc/${pid}/task/${task}/comm`, "utf8").trim(),
	);
}
