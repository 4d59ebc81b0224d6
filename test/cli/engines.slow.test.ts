// Every command does the same on both engines: the same output, the same exit status, and the same rows after it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "../../src/store/archive/archive.ts";
import { openStore } from "../../src/store/open.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";
import {
	type Database,
	type Engine,
	engines,
	newDatabase,
} from "../store/engines.ts";

interface Place {
	readonly engine: Engine;
	readonly database: Database;
	readonly folder: ReturnType<typeof temporaryFolder>;
}

let places: Place[];
beforeAll(async () => {
	places = await Promise.all(
		engines.map(async (engine) => ({
			engine,
			database: await newDatabase(engine),
			folder: temporaryFolder(),
		})),
	);
	await Promise.all(places.map(prepare));
}, startMs);
afterAll(async () => {
	for (const { database, folder } of places) {
		await database.remove();
		folder.remove();
	}
});

const pet = (id: number, name: string, status = "available") =>
	`{"id":${id},"name":"${name}","categoryId":7,"status":"${status}"}\n`;

/** The same files on both engines. */
async function prepare({ database, folder }: Place): Promise<void> {
	const store = await openStore(database.url, { create: true });
	await store.close();
	const files = {
		"three.ndjson":
			pet(1, "Rex") + pet(2, "Mia", "sold") + pet(9, "Bo", "pending"),
		"five.ndjson": [11, 12, 13, 14, 15].map((id) => pet(id, "x")).join(""),
		"bad.csv": "name,categoryId\nTom,1\nTim,x\n",
		"good.csv": "name,categoryId,status\nTom,1,sold\n",
		"spread.csv": "Name;CategoryId;Colour;Note\nTom;1;red;x\n",
		"changes.csv": "id;status;colour\n1;sold;red\n;;\n",
		"update.csv": "id;name\n1;Max\n9;Bo\n",
	};
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder.path, name), text);
	makeCertificate(folder.path, "tls");
}

/** A run of a command. It changes rows if `writes` is set, and no row otherwise. */
interface Case {
	readonly args: readonly string[];
	readonly status?: number;
	readonly writes?: true;
}

const reads = (...args: string[]): Case => ({ args });
const writes = (...args: string[]): Case => ({ args, writes: true });
const refused = (status: number, ...args: string[]): Case => ({ args, status });

const cases: readonly Case[] = [
	reads("import", "three.ndjson", "--dry-run"),
	writes("import", "three.ndjson", "--quiet"),
	reads("import", "five.ndjson", "--dry-run", "--import-id", "monday"),
	writes("import", "five.ndjson", "--import-id", "monday"),
	reads("import", "five.ndjson", "--import-id", "monday"),
	reads("import", "five.ndjson", "--import-id", "monday", "--dry-run"),
	refused(1, "import", "bad.csv"),
	reads("import", "good.csv", "--format", "csv", "--dry-run"),
	writes("import", "good.csv", "--format", "csv"),
	refused(1, "import", "spread.csv"),
	writes("import", "spread.csv", "--ignore-unknown"),
	refused(1, "import", "changes.csv", "--update", "--ignore-unknown"),
	reads("import", "update.csv", "--update", "--dry-run"),
	writes("import", "update.csv", "--update"),
	reads("import", "update.csv", "--update"),
	reads("export"),
	reads("export", "all.csv"),
	reads("export", "sheet.csv", "--excel"),
	reads("export", "--format", "csv", "--status", "sold", "--quiet"),
	reads("export", "--category", "7", "--name", "o"),
	writes("pets", "add", "--name", "Zoë", "--category", "5", "--json"),
	writes(
		...["pets", "add", "--name", "A", "--category", "5"],
		...["--status", "sold"],
	),
	reads("pets", "list"),
	reads("pets", "list", "--json", "--limit", "3"),
	reads("pets", "list", "--order", "oldest"),
	reads(
		...["pets", "list", "--status", "sold", "--category", "5"],
		...["--name", "a"],
	),
	reads("pets", "get", "1"),
	reads("pets", "get", "1", "--json"),
	refused(1, "pets", "get", "99"),
	writes("pets", "set", "1", "--status", "pending", "--json"),
	writes("pets", "set", "1", "--name", "Rexi", "--category", "8"),
	refused(1, "pets", "set", "99", "--status", "sold"),
	refused(2, "pets", "remove", "2"),
	writes("pets", "remove", "2", "--yes"),
	refused(1, "pets", "remove", "2", "--yes"),
	reads("history"),
	reads("history", "--limit", "1", "--by", "command line"),
	reads("history", "2", "--json"),
	refused(1, "history", "99"),
	writes("pets", "restore", "1", "--version", "1", "--json"),
	writes("pets", "restore", "2", "--version", "2"),
	refused(1, "pets", "restore", "2", "--version", "99"),
	writes("categories", "set", "7", "Dogs"),
	refused(1, "categories", "set", "8", "DOGS"),
	reads("categories", "list"),
	reads("categories", "list", "--json"),
	writes("categories", "remove", "7"),
	writes("keys", "create", "--name", "first", "--json"),
	writes(
		...["keys", "create", "--name", "second", "--scope", "operator"],
		...["--expires", "2100-01-31"],
	),
	reads("keys", "list"),
	reads("keys", "list", "--json"),
	writes("keys", "rename", "1", "renamed"),
	writes("keys", "revoke", "2"),
	refused(1, "keys", "revoke", "99"),
	// Links and sessions are not part of an archive.
	reads("console", "--no-open", "--port", "9"),
	reads("console", "--no-open", "--operator-address", "[::1]:9"),
	reads("console", "--no-open", "--url", "http://127.0.0.1:9"),
	reads("console", "--no-open", "--port", "9", "--tls-cert", "tls.crt"),
	reads("console", "--no-open", "--as", "Ada"),
	reads("console", "--end-sessions"),
	reads("check"),
	reads("check", "--json"),
	reads("backup", "made.db", "--json"),
	reads("backup", "--folder", "many", "--keep", "1"),
	reads("check", "made.db"),
	refused(1, "restore", "made.db"),
	refused(2, "restore", "made.db", "--replace"),
	writes("pets", "add", "--name", "later", "--category", "1"),
	writes("restore", "made.db", "--replace", "--yes", "--folder", "many"),
	reads("export"),
];

test.each(cases.map((one) => [one.args.join(" "), one] as const))(
	"petstore %s gives the same result on both engines",
	async (_title, { args, status = 0, writes = false }) => {
		const [one, other] = await Promise.all(
			places.map(async (place) => {
				const before = await contentOf(place);
				const env = { PETSTORE_DATABASE: place.database.url };
				const done = await run(args, { cwd: place.folder.path, env });
				const after = await contentOf(place);
				expect([done.stderr, done.status]).toEqual([done.stderr, status]);
				if (!writes) expect(after).toEqual(before);
				else expect(after).not.toEqual(before);
				return toPlain(place, { done, after, files: readFiles(place) });
			}),
		);
		expect(other).toEqual(one);
	},
	20_000,
);

test("status describes each engine, and prints no warning", async () => {
	for (const { database, folder, engine } of places) {
		const env = { PETSTORE_DATABASE: database.url };
		const done = await run(["status", "--json"], { cwd: folder.path, env });
		expect(done).toMatchObject({ status: 0, stderr: "" });
		expect(JSON.parse(done.stdout)).toMatchObject({ engine });
	}
});

describe("serve", () => {
	const many = [
		...["--host", "127.0.0.1", "--operator-address", "127.0.0.1:0"],
		"--reuse-port",
		...["--rate-limit", "100/s", "--history", "30d"],
		...["--base-url", "https://pets.example", "--staging-url", "http://s.test"],
		...["--log-requests", "--drain", "0.1", "--backups", "many"],
		...["--backup-every", "24h", "--backup-keep", "3"],
	];
	const secure = ["--tls-cert", "tls.crt", "--tls-key", "tls.key"];

	test("does the same on both engines with the same flags", async () => {
		for (const flags of [many, secure]) {
			const [one, other] = await Promise.all(
				places.map(async (place) => {
					const { folder } = place;
					const database = await newDatabase(place.engine);
					const env = {
						PETSTORE_DATABASE: database.url,
						PETSTORE_API_KEY: "a-key-for-this-test",
					};
					const running = await serve(flags, { cwd: folder.path, env });
					const reply = await fetch(`${running.url}/v1/pets?limit=2`, {
						headers: { Authorization: "Bearer a-key-for-this-test" },
						tls: { rejectUnauthorized: false },
					});
					const { status, headers } = reply;
					const body = await reply.text();
					if (flags === many)
						await waitFor(
							() =>
								/a backup was made/.test(running.output().stderr) || undefined,
							() => running.output().stderr,
						);
					running.kill("SIGTERM");
					const done = await running.finished;
					const made = { ...place, database };
					const rows = await contentOf(made);
					await database.remove();
					const limit = headers.get("RateLimit-Policy");
					return toPlain(made, {
						status,
						limit,
						body,
						rows,
						ended: done.status,
						lines: toLogLines(done.stderr),
					});
				}),
			);
			expect(other).toEqual(one);
		}
	}, 60_000);
});

/** All rows of the database. */
async function contentOf({ database }: Place): Promise<Part[]> {
	const store = await openStore(database.url, { create: false });
	const parts: Part[] = [];
	for await (const part of store.archive.read())
		parts.push(part.kind === "epoch" ? { ...part, id: "", base: 0n } : part);
	await store.close();
	return parts;
}

/** The text files that the commands have written. */
function readFiles({ folder }: Place): Record<string, string> {
	const names = ["sheet.csv", "all.csv"].map((name) => join(folder.path, name));
	const backups = join(folder.path, "many");
	return Object.fromEntries([
		...names
			.filter(existsSync)
			.map((name) => [name, readFileSync(name, "utf8")]),
		["backups", existsSync(backups) ? `${readdirSync(backups).length}` : "0"],
	]);
}

/** As text, without what differs from one run to the next: addresses, paths, times, sizes, secrets and ids of requests. */
function toPlain({ database, folder }: Place, value: unknown): string {
	return JSON.stringify(
		value,
		(_name, member) => (typeof member === "bigint" ? `${member}n` : member),
		1,
	)
		.replaceAll(database.url, "DATABASE")
		.replaceAll(database.url.replace(/:[^:@/]+@/, ":***@"), "DATABASE")
		.replaceAll(folder.path, "FOLDER")
		.replace(/pet_[0-9A-Za-z]{4,38}/g, "SECRET")
		.replace(/[0-9a-f]{64}/g, "HASH")
		.replace(/#link=[\w-]+/g, "#link=TOKEN")
		.replace(/\b1[789]\d{11}n?\b/g, "TIME")
		.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, "TIME")
		.replace(/petstore-[\w-]*\d{8}T\d{6}Z(-\d+)?\.db/g, "BACKUP")
		.replace(/((bytes|seconds)\\?": )[\d.]+/g, "$1N")
		.replace(/(size|duration) .+?\\n/g, "$1\\n")
		.replace(/:\d{4,5}\b/g, ":PORT");
}

/** The messages of the log, in the order of the alphabet. */
function toLogLines(stderr: string): string[] {
	return stderr
		.trim()
		.split("\n")
		.map((line) => {
			const { level, msg, path, status, animals } = JSON.parse(line);
			return JSON.stringify({ level, msg, path, status, animals });
		})
		.sort();
}
