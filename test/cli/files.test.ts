// The files that the command line is given: symbolic links, folders, files that are missing or may not be read. Each problem gets one
// sentence without the codes of the operating system.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
	folder = temporaryFolder();
	path = folder.path;
});
afterEach(() => folder.remove());

const petstore = (...args: string[]) => run(args, { cwd: path });
const keys = (command: string, database: string) =>
	petstore("keys", ...command.split(" "), "--database", database);
const namesIn = async (database: string) =>
	JSON.parse((await keys("list --json", database)).stdout).keys.map(
		({ name }: { name: string }) => name,
	);

describe("a symbolic link as the path of a database", () => {
	beforeEach(() => {
		mkdirSync(`${path}/disk`);
		symlinkSync("disk/pets.db", `${path}/link.db`);
	});

	test("refuses a link whose target is missing beside a WAL, and keeps the WAL", async () => {
		writeFileSync(`${path}/disk/pets.db-wal`, "x");
		const { stderr } = await keys("create --name x", "sqlite:link.db");
		expect(stderr).toMatch(/link\.db is missing, but .* pets\.db-wal has data/);
		expect(readdirSync(`${path}/disk`)).toEqual(["pets.db-wal"]);
	});

	test("uses the target of the link in keys and serve", async () => {
		await keys("create --name direct", "sqlite:disk/pets.db");
		const { stdout } = await keys("create --name linked", "sqlite:link.db");
		expect(await namesIn("sqlite:disk/pets.db")).toEqual(["direct", "linked"]);

		const { url, kill, finished } = await serve(
			["--database", "sqlite:link.db"],
			{ cwd: path },
		);
		const reply = await fetch(`${url}/v1/pets`, {
			method: "POST",
			headers: { Authorization: `Bearer ${stdout.trim()}` },
			body: '{"name":"Rex","categoryId":1}',
		});
		expect(reply.status).toBe(201);
		expect((await keys("revoke 1", "sqlite:disk/pets.db")).status).toBe(0);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	});

	test("creates a target that does not exist, for this user only", async () => {
		expect((await keys("create --name x", "sqlite:link.db")).status).toBe(0);
		expect(statSync(`${path}/disk/pets.db`).mode & 0o777).toBe(0o600);
		expect(await namesIn("sqlite:link.db")).toEqual(["x"]);
	});

	test("refuses a link into a folder that does not exist, and does not create the folder", async () => {
		symlinkSync("unmounted/pets.db", `${path}/broken.db`);
		const { status, stderr } = await keys(
			"create --name x",
			"sqlite:broken.db",
		);
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^petstore: The database broken\.db is a symbolic link to .*\/unmounted\/pets\.db, whose folder does not exist; .*\.\n$/,
		);
		expect(existsSync(`${path}/unmounted`)).toBe(false);
		expect((await keys("list", "sqlite:broken.db")).stderr).toBe(
			"petstore: No database at broken.db; check the path.\n",
		);
	});

	test("refuses a link that leads to itself", async () => {
		symlinkSync("loop.db", `${path}/loop.db`);
		const { status, stderr } = await keys("create --name x", "sqlite:loop.db");
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^petstore: The database loop\.db cannot be opened: too many symbolic links.*\.\n$/,
		);
	});
});

describe("an error about a file is one sentence, without a system code", () => {
	const fail = async (args: readonly string[], message: string) => {
		const { status, stderr } = await petstore(...args);
		expect(status).toBe(1);
		expect(stderr).toBe(`petstore: ${message}\n`);
	};

	test("names a TLS certificate that does not exist", async () => {
		const flags = ["--tls-cert", "no.crt", "--tls-key", "no.key"];
		await fail(
			["serve", ...flags],
			"no.crt cannot be read: no such file or directory.",
		);
	});

	test("names a database that is a folder, below a file, or no database", async () => {
		mkdirSync(`${path}/data`);
		writeFileSync(`${path}/text`, "This is not a database. ".repeat(50));
		const list = ["keys", "list", "--database"];
		await fail(
			[...list, "sqlite:data"],
			"The database data is a folder; name a file in it.",
		);
		await fail(
			[...list, "sqlite:text/pets.db"],
			"The database text/pets.db cannot be opened: not a directory.",
		);
		await fail(
			[...list, "sqlite:text"],
			"The database text cannot be used: it is not a database.",
		);
	});

	test("names a missing certificate or a silent socket in the URL of PostgreSQL", async () => {
		const list = ["keys", "list", "--database"];
		await fail(
			[
				...list,
				"postgres://127.0.0.1:1/pets?sslmode=verify-full&sslrootcert=no.crt",
			],
			"The database pets on 127.0.0.1:1 cannot be used: the file no.crt cannot be read: no such file or directory.",
		);
		await fail(
			[...list, `postgres:///pets?host=${path}`],
			`The database pets on ${path} cannot be used: no server listens there (is PostgreSQL running?).`,
		);
	});

	test.skipIf(process.getuid?.() === 0)(
		"names a database that this user may not read or write",
		async () => {
			for (const name of ["locked", "read-only"])
				await keys("create --name x", `sqlite:${name}/pets.db`);
			chmodSync(`${path}/locked`, 0o000);
			chmodSync(`${path}/read-only`, 0o500);
			await fail(
				["keys", "list", "--database", "sqlite:locked/pets.db"],
				"The database locked/pets.db cannot be opened: permission denied.",
			);
			await fail(
				["keys", "list", "--database", "sqlite:read-only/pets.db"],
				"The database read-only/pets.db cannot be used: this user cannot write it, or cannot create files in its folder.",
			);
			for (const name of ["locked", "read-only"])
				chmodSync(`${path}/${name}`, 0o700);
		},
	);

	test.skipIf(process.getuid?.() === 0)(
		"names a database that this user may not write, and reads it",
		async () => {
			await keys("create --name x", "sqlite:pets.db");
			chmodSync(`${path}/pets.db`, 0o400);
			for (const command of [
				...["serve --port 0", "keys create --name y", "console"],
				"pets add --name Rex --category-id 1",
			])
				await fail(
					[...command.split(" "), "--database", "sqlite:pets.db"],
					"The database pets.db cannot be written: permission denied.",
				);
			expect(readdirSync(path)).toEqual(["pets.db"]);
			expect(await namesIn("sqlite:pets.db")).toEqual(["x"]);
			for (const command of ["pets find", "export", "backup b.db", "check"])
				expect(
					await petstore(
						...command.split(" "),
						...["--database", "sqlite:pets.db"],
					),
				).toMatchObject({ status: 0 });
		},
	);
});
