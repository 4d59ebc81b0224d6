// Takes away what macOS and Windows do not have: /proc, a POSIX shell and signals. docs/platforms.md says what was not run.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	cpSync,
	existsSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { toProc } from "../../src/program.ts";
import { readDatabaseUrl } from "../../src/store/database-url.ts";
import { removeFolder, syncFolder } from "../../src/store/folders.ts";
import { type Running, root, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

describe("Platforms", () => {
	describe.each(["darwin", "win32"])(
		"the program on %s, without /proc and without a shell",
		(platform) => {
			const folder = temporaryFolder();
			const database = `sqlite:${join(folder.path, "data", "pets.db")}`;
			beforeAll(() => copyProgram(folder.path, { platform }));
			afterAll(() => folder.remove());
			const petstore = (...args: string[]) =>
				startCopy(folder.path, database, args);

			test("serves, adds, lists and stops", async () => {
				const service = petstore("serve", "--port", "0");
				const key = await waitFor(
					() => /^ {2}(pet_\w+)$/m.exec(service.output().stdout)?.[1],
					() => service.output().stderr,
				);
				const [, url] = /"url":"([^"]+)"/.exec(service.output().stderr) ?? [];
				const authorized = { headers: { Authorization: `Bearer ${key}` } };
				const added = await fetch(`${url}/v1/pets`, {
					...authorized,
					method: "POST",
					body: '{"name":"Rex","categoryId":1}',
				});
				expect(added.status).toBe(201);
				// From the page cache, which must notice the add before it.
				for (let count = 0; count < 3; count++) {
					const list = await fetch(`${url}/v1/pets`, authorized);
					expect(await list.json()).toMatchObject([{ name: "Rex" }]);
				}
				service.kill("SIGTERM");
				expect(await service.finished).toMatchObject({ status: 0 });
			});

			test("backs up, restores, checks and exports", async () => {
				for (const args of [
					["backup", "backup.db"],
					["restore", "backup.db", "--database", "sqlite:restored.db"],
					["check", "--database", "sqlite:restored.db"],
					["export", "animals.csv", "--database", "sqlite:restored.db"],
				])
					expect(await petstore(...args).finished).toMatchObject({ status: 0 });
				expect(readFileSync(join(folder.path, "animals.csv"), "utf8")).toBe(
					"id,name,categoryId,status,version\r\n1,Rex,1,available,1\r\n",
				);
			});
		},
	);
});

describe("SQLite on macOS", () => {
	const folder = temporaryFolder();
	beforeAll(() =>
		copyProgram(folder.path, { platform: "darwin", sqliteVersion: "3.43.2" }),
	);
	afterAll(() => folder.remove());

	test("refuses to start on a file with Apple's SQLite, and does not create the file", async () => {
		const refused = startCopy(folder.path, "sqlite:pets.db", ["serve"]);
		expect(await refused.finished).toEqual({
			status: 1,
			stdout: "",
			stderr: expect.stringMatching(
				/^petstore: SQLite 3\.43\.2 can lose .*"brew install sqlite".*PostgreSQL or sqlite::memory:\.\n$/,
			),
		});
		expect(existsSync(join(folder.path, "pets.db"))).toBe(false);
	});

	test("serves a database in memory with Apple's SQLite", async () => {
		const args = ["serve", "--port", "0"];
		const service = startCopy(folder.path, "sqlite::memory:", args);
		await waitFor(
			() => /"listening"/.exec(service.output().stderr) ?? undefined,
			() => service.output().stderr,
		);
		service.kill("SIGTERM");
		expect(await service.finished).toMatchObject({ status: 0 });
	});
});

test("stops at Ctrl-Break, which is SIGBREAK on Windows, and ends at a second one", async () => {
	const program = `import { handleSignals } from "${root}src/cli/terminal/signal.ts";
		const { stop } = handleSignals();
		process.emit("SIGBREAK", "SIGBREAK");
		console.log(await stop);
		await Bun.sleep(250);
		process.emit("SIGBREAK", "SIGBREAK");`;
	const { finished } = start([process.execPath, "-e", program], { cwd: root });
	expect(await finished).toMatchObject({ status: 128, stdout: "SIGBREAK\n" });
});

test("accepts a Windows path for a database", () => {
	for (const path of ["C:\\data\\pets.db", "C:/data/pets.db", "\\\\host\\x.db"])
		expect(readDatabaseUrl(`sqlite:${path}`)).toMatchObject({ file: path });
});

test("syncs a folder, except on Windows, which cannot open one", () => {
	syncFolder(root, "linux");
	expect(() => syncFolder("/no-such-folder", "linux")).toThrow();
	syncFolder("/no-such-folder", "win32");
});

test("does not read /proc on Windows, where it could be a folder of any user", () => {
	expect([toProc("linux"), toProc("darwin")]).toEqual(["/proc", "/proc"]);
	// On Windows, no file name may have a question mark.
	expect(toProc("win32")).toBe("/proc?");
});

test("removes a temporary folder with its files, even if it is gone already", () => {
	const { path } = temporaryFolder();
	for (const name of ["staged.db", "staged.db-wal"])
		writeFileSync(join(path, name), "animals");
	removeFolder(path);
	expect(existsSync(path)).toBe(false);
	removeFolder(path);
});

interface Seen {
	readonly platform: string;
	readonly sqliteVersion?: string;
}

/** Copies the program, and makes the copy take this system for the platform. The copy finds no /proc. */
function copyProgram(folder: string, { platform, sqliteVersion }: Seen): void {
	for (const part of ["src", "conformance", "package.json"])
		cpSync(root + part, join(folder, part), { recursive: true });
	symlinkSync(`${root}node_modules`, join(folder, "node_modules"));
	for (const name of readdirSync(join(folder, "src"), { recursive: true })) {
		const path = join(folder, "src", String(name));
		if (!path.endsWith(".ts")) continue;
		const text = readFileSync(path, "utf8");
		const changed = text
			.replaceAll("process.platform", JSON.stringify(platform))
			.replaceAll('"/proc', '"/no-such-folder')
			.replaceAll(
				"sqlite_version()",
				sqliteVersion === undefined ? "sqlite_version()" : `'${sqliteVersion}'`,
			);
		if (changed !== text) writeFileSync(path, changed);
	}
}

function startCopy(
	folder: string,
	database: string,
	args: readonly string[],
): Running {
	return start([process.execPath, "--no-install", "src/cli/main.ts", ...args], {
		cwd: folder,
		env: { PETSTORE_DATABASE: database, PATH: "" },
	});
}
