// The executable alone does what the program does from its source.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { runBuildStage } from "../harness/image.ts";
import { loadPage } from "../harness/page.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { root, run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
const program = `${folder.path}/out/petstore`;
beforeAll(() => runBuildStage(folder.path), 60_000);
afterAll(() => folder.remove());

/** An empty folder on a machine without Node.js, Bun and files of a user. */
function emptyPlace(env: Record<string, string> = {}) {
	const { path: cwd } = temporaryFolder();
	const bare = { PATH: `${cwd}/nothing`, HOME: cwd };
	return { cwd, env: { ...bare, ...env }, program };
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
			...[command, 0, ""],
		]);
		last = stdout;
	}
	return last;
}

test("names its version and commit, contains no path of the machine that built it, and has its licences beside it", async () => {
	const version = await runAll(emptyPlace(), ["--version"]);
	expect(version).toBe(`${manifest.version} (0123abc)\n`);
	expect(readFileSync(program).includes(folder.path)).toBe(false);
	expect(readdirSync(`${folder.path}/out`).sort()).toEqual([
		...["licenses.txt", "petstore"],
	]);
});

test("ignores Bun's settings and a .env file in the current folder, and leaves no file there", async () => {
	const place = emptyPlace();
	const files = {
		".env": "PETSTORE_BASE_URL=not-an-address\n",
		"bunfig.toml": 'preload = ["./preload.ts"]\n',
		"package.json": "{",
		"preload.ts": "process.exit(3);\n",
		"tsconfig.json": "{",
	};
	for (const [name, text] of Object.entries(files))
		writeFileSync(`${place.cwd}/${name}`, text);
	expect(await runAll(place, ["openapi"])).toBe(
		readFileSync(`${root}openapi.json`, "utf8"),
	);
	expect(readdirSync(place.cwd).sort()).toEqual(Object.keys(files));
});

test("serves the interface and the pages from PostgreSQL through a link, starts itself again for a backup, and stops", async () => {
	const key = "a-key-known-to-the-tests";
	const database = await createDatabase();
	const place = emptyPlace({
		PETSTORE_DATABASE: database.url,
		PETSTORE_API_KEY: key,
	});
	symlinkSync(program, `${place.cwd}/link`);
	const service = await serve(["--backups", "made", "--backup-every", "1h"], {
		...place,
		program: "./link",
	});
	await runAll(
		place,
		["health", "--ready", "--url", service.url],
		["verify", `${service.url}/v1`, "--key", key],
	);
	for (const page of ["/", "/docs", "/console"])
		expect(new Set(Object.values(await loadPage(service.url, page)))).toEqual(
			new Set([200]),
		);
	await service.printed(/a backup was made/);
	expect((await service.stop()).status).toBe(0);
	await database.remove();
}, 60_000);

test("runs the commands for animals, keys, files and backups", async () => {
	const place = emptyPlace();
	const database = await createDatabase();
	const pets = '{"name":"Rex","categoryId":1}\n{"name":"Tom","categoryId":2}\n';
	writeFileSync(`${place.cwd}/pets.ndjson`, pets);
	await runAll(
		place,
		["import", "pets.ndjson"],
		["pets", "add", "--name", "Kitty", "--category-id", "3"],
		["keys", "create", "--name", "someone"],
		["keys", "list"],
		["status"],
		["check"],
		["backup", "backup.db"],
		["check", "backup.db"],
		["restore", "backup.db", "--database", database.url],
	);
	const exported = await runAll(place, ["export"]);
	expect(exported).toContain('"Kitty"');
	const other = ["export", "--database", database.url];
	expect(await runAll(place, other)).toBe(exported);
	await database.remove();
}, 60_000);
