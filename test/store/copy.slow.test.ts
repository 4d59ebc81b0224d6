// `petstore copy` copies everything exactly, or nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateKey } from "../../src/domain/api-key.ts";
import { toDemoParts } from "../../src/sandbox/demo-animals.ts";
import type { Part } from "../../src/store/archive/archive.ts";
import { openStore } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { createDatabase, execute } from "../harness/postgres/server.ts";
import { petstore, run, start } from "../harness/process.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";

type Engine = "sqlite" | "postgres";
const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

async function newDatabase(engine: Engine) {
	return engine === "sqlite" ? temporaryDatabase() : createDatabase();
}

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
	folder = temporaryFolder();
});
afterAll(() => folder.remove());

const copy = (from: string, to: string) =>
	run(["copy", "--from", from, "--to", to], { cwd: folder.path });

test.each([["copy"], ["restore"]])(
	"%s says that nothing was changed if a disk is full",
	async (command) => {
		const [source, target] = [temporaryDatabase(), await createDatabase()];
		const filled = await openStore(source.url, { create: true });
		await filled.catalogue.addPet({ pet: rex });
		await filled.close();
		await (await openStore(target.url, { create: true })).close();
		await execute(
			target.url,
			`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE disk_full USING MESSAGE = ''the disk is full''; END';
		CREATE TRIGGER full_disk BEFORE INSERT ON petstore.pets EXECUTE FUNCTION refuse()`,
		);
		const args = {
			copy: ["--from", source.url, "--to", target.url],
			restore: [source.url.replace("sqlite:", ""), "--database", target.url],
		}[command];
		expect(await run([command, ...(args ?? [])], { cwd: folder.path })).toEqual(
			{
				status: 1,
				stdout: "",
				stderr:
					"petstore: The database cannot answer now, and nothing was changed (the disk is full); run the command again.\n",
			},
		);
		await source.remove();
		await target.remove();
	},
);

describe.each([
	["sqlite", "postgres"],
	["postgres", "sqlite"],
	["sqlite", "sqlite"],
	["postgres", "postgres"],
] as const)("from %s to %s", (from, to) => {
	test("copies animals, keys, unexpired Idempotency-Keys and the last id exactly", async () => {
		const [source, target] = [await newDatabase(from), await newDatabase(to)];
		const filled = await openStore(source.url, { create: true });
		const lastId = await fill(filled);
		const before = await contentOf(filled);
		await filled.close();

		const { status, stdout, stderr } = await copy(source.url, target.url);
		expect([status, stdout]).toEqual([0, ""]);
		expect(stderr).toMatch(
			/^Copied [\d,]+ animals, 2 keys and 1 Idempotency-Key\.$/m,
		);
		expect(stderr).not.toContain("\r");

		const copied = await openStore(target.url, { create: false });
		expect(await contentOf(copied)).toEqual(before);
		expect(await copied.sessions.find("s")).toBeUndefined();
		expect(await copied.sessions.useLink("l", 0)).toBeUndefined();
		const added = await copied.catalogue.addPet({ pet: rex });
		expect(added).toEqual({ outcome: "added", id: lastId + 1n });
		expect(
			await copied.catalogue.addPet({ pet: rex, idempotency: unexpired }),
		).toMatchObject({
			outcome: "replayed",
		});
		const { record } = makeKey({
			name: "c",
			scope: "read",
			expiresAt: undefined,
		});
		expect((await copied.keys.add(record)).id).toBe(3);
		await copied.close();
		await source.remove();
		await target.remove();
	}, 30_000);
});

describe.each<Engine>(["sqlite", "postgres"])("to %s", (engine) => {
	test("refuses a target that is not empty, and does not change it", async () => {
		const [source, target] = [temporaryDatabase(), await newDatabase(engine)];
		for (const { url } of [source, target]) {
			const store = await openStore(url, { create: true });
			await store.catalogue.addPet({ pet: rex });
			await store.close();
		}
		const { status, stderr } = await copy(source.url, target.url);
		expect(status).toBe(1);
		expect(stderr).toBe(
			"petstore: The target holds or held animals, keys or names of categories.\n",
		);
		const store = await openStore(target.url, { create: false });
		expect(await contentOf(store)).toHaveLength(2);
		await store.close();
		source.remove();
		await target.remove();
	});

	test("leaves the target empty when it is killed, and can run again", async () => {
		const [source, target] = [temporaryDatabase(), await newDatabase(engine)];
		const filled = await openStore(source.url, { create: true });
		for (let thousand = 0; thousand < 100; thousand++)
			await Promise.all(
				Array.from({ length: 1_000 }, () =>
					filled.catalogue.addPet({ pet: rex }),
				),
			);
		await filled.close();
		const killed = start(
			[petstore, "copy", "--from", source.url, "--to", target.url],
			{ cwd: folder.path },
		);
		await Bun.sleep(250);
		killed.kill("SIGKILL");
		expect((await killed.finished).stderr).not.toContain("Copied");

		const empty = await openStore(target.url, { create: true });
		expect(await contentOf(empty)).toEqual([]);
		await empty.close();
		expect((await copy(source.url, target.url)).stderr).toContain(
			"Copied 100,000 animals",
		);
		source.remove();
		await target.remove();
	}, 60_000);
});

test("refuses wrong usage with the reason", async () => {
	for (const [args, status, message] of [
		[["--to", "sqlite:x.db"], 2, /'--from <url>' not specified/],
		[["--from", "sqlite:x.db", "--to", "sqlite:x.db"], 2, /same database/],
		[
			["--from", "sqlite:none.db", "--to", "sqlite:x.db"],
			1,
			/No database at none/,
		],
	] as const) {
		const finished = await run(["copy", ...args], { cwd: folder.path });
		expect(finished.status).toBe(status);
		expect(finished.stderr).toMatch(message);
	}
});

test("shows its progress as a bar on a terminal", async () => {
	const source = temporaryDatabase();
	const store = await openStore(source.url, { create: true });
	await store.archive.writeFirstPets(toDemoParts({ pets: 100_000, seed: 1 }));
	await store.close();
	const command = `${petstore} copy --from ${source.url} --to sqlite:bar.db`;
	const { stdout } = await start(["script", "-qec", command, "/dev/null"], {
		cwd: folder.path,
	}).finished;
	expect(stdout).toMatch(
		/\r\[#+\.+\] \d\d?% [\d,]+ animals, [\d,]+\/s, \d+ s left/,
	);
	source.remove();
});

const unexpired = {
	owner: "owner",
	key: "unexpired",
	fingerprint: "f",
	at: Date.now(),
};

/** Adds animals, keys and Idempotency-Keys of every kind to a store, and returns the last id that was assigned. */
async function fill(store: Store): Promise<bigint> {
	for (const name of ["", "\u{1f600}'\"\\ \u0001", "x".repeat(10_000)])
		await store.catalogue.addPet({
			pet: { ...rex, name, categoryId: -(2n ** 63n) },
		});
	// In parts: an add that waits for more than a second is refused.
	for (let part = 0; part < 12; part++)
		await Promise.all(
			Array.from({ length: 500 }, () => store.catalogue.addPet({ pet: rex })),
		);
	await store.catalogue.addPet({ pet: rex, idempotency: unexpired });
	await store.catalogue.addPet({
		pet: rex,
		idempotency: { ...unexpired, key: "expired", at: 1 },
	});
	for (const [name, scope, expiresAt] of [
		["a", "read", undefined],
		["b", "read-write", 4_102_444_800_000],
	] as const) {
		const { id } = await store.keys.add(
			makeKey({ name, scope, expiresAt }).record,
		);
		await store.keys.recordUse(id, 1_000);
		await store.keys.rotate(id, { ...generateKey(), at: 1_500, overlapMs: 9 });
		await store.keys.revoke(id, 2_000);
	}
	// These are not copied.
	await store.sessions.add({ hash: "s", secretHash: undefined, createdAt: 1 });
	await store.sessions.addLink({ hash: "l", expiresAt: 1 });
	const added = await store.catalogue.addPet({ pet: rex });
	return added.outcome === "added" ? added.id : 0n;
}

/** All rows of a store, in the order of its archive, and the last id if one was assigned. */
async function contentOf(store: Store): Promise<unknown[]> {
	const parts: Part[] = [];
	for await (const part of store.archive.read()) parts.push(part);
	return parts.flatMap((part): readonly unknown[] => {
		if ("rows" in part) return part.rows;
		return part.kind === "epoch" && part.lastId ? [part.lastId] : [];
	});
}
