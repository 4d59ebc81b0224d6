// On PostgreSQL a commit is visible before it is durable. Nobody learns of it until then: here, while no synchronous standby answers.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { openReplies } from "../../src/v1/replies.ts";
import { backUp } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import {
	alterSystem,
	countRows,
	type PostgresServer,
	startPostgres,
} from "../harness/postgres/server.ts";
import { waitFor } from "../harness/process.ts";
import { importLines, toLines } from "./engines.ts";

let server: PostgresServer;
let writers: readonly Store[];
let reader: Store;
beforeAll(async () => {
	server = await startPostgres();
	const open = () => openStore(server.url, { access: "create" });
	// Each of them commits one transaction that is not durable.
	writers = await Promise.all(Array.from({ length: 8 }, open));
	reader = await openStore(server.url, { access: "create" });
}, 30_000);
afterAll(async () => {
	for (const writer of writers) await writer.close();
	await reader.close();
	await server.remove();
});

const unavailable = { code: "unavailable" };
const firstPage = { limit: 20, maxId: maxInt64, status: undefined };
const query = { maxPosition: maxInt64, limit: 20 };
const signal = new AbortController().signal;

test("nobody learns of a commit that is not durable, and what was durable before can be read", async () => {
	const [writer = reader] = writers;
	for (let count = 0; count < 3; count++)
		await writer.catalogue.addPet({ pet: rex });
	const [kept, revoked, later] = [makeKey(), makeKey(), makeKey()];
	await writer.keys.add(kept.record);
	const { id: revokedId } = await writer.keys.add(revoked.record);
	const replies = openReplies(reader.catalogue.state);
	const list = () =>
		replies("", () => async () => {
			const pets = await reader.catalogue.listPets(firstPage);
			return { tag: `${pets.length}`, reply: {}, notModified: {} };
		});
	const before = await list();
	for (const { record } of [kept, revoked])
		expect(await reader.keys.find(record.hash)).toMatchObject(record);

	await alterSystem(server.url, "SET synchronous_standby_names = 'nobody'");
	const idempotency = {
		owner: "o",
		key: "k",
		fingerprint: "f",
		at: Date.now(),
	};
	const repeated = { pet: rex, idempotency };
	const change = { petId: 2n, set: { status: "sold" } } as const;
	const commits: readonly ((store: Store) => Promise<unknown>)[] = [
		({ catalogue }) => catalogue.addPet(repeated),
		({ catalogue }) => catalogue.changePets([change]),
		({ catalogue }) => catalogue.changePets([{ petId: 3n, set: undefined }]),
		({ categories }) => categories.set(7n, "Dogs"),
		({ keys }) => keys.add(later.record),
		({ keys }) => keys.revoke(revokedId, Date.now()),
		({ catalogue }) => catalogue.changePets([{ petId: 99n, set: undefined }]),
		(store) => importLines(store, [rex]),
	];
	const writes = await Promise.allSettled(
		commits.map((commit, index) => commit(writers[index] ?? reader)),
	);
	for (const one of writes)
		expect(one).toMatchObject({ status: "rejected", reason: unavailable });
	// Other programs see it.
	for (const one of ["pets WHERE id = 4", "categories"])
		expect(await countRows(server.url, `SELECT FROM petstore.${one}`)).toBe(1);

	const { catalogue, history, feed, edits } = reader;
	const search = { limit: 20, maxId: maxInt64, isLimited: true };
	const reads: Readonly<Record<string, () => unknown>> = {
		"a further page": () => catalogue.listPets({ ...firstPage, maxId: 9n }),
		"another page": () => catalogue.listPets({ ...firstPage, limit: 3 }),
		"a new animal": () => catalogue.getPet(4n),
		"a changed animal": () => catalogue.getPet(2n),
		"a removed animal": () => catalogue.getPet(3n),
		"no animal": () => catalogue.getPet(99n),
		search: () => catalogue.findPets({ ...search, filter: { name: "rex" } }),
		counts: () => catalogue.readTotals(),
		feed: () => feed.read({ after: 0n, limit: 9 }),
		history: () => history.readAll(query),
		"history of one": () => history.readOf(2n, query),
		version: () => history.findVersion(2n, 2n),
		edits: () => edits.list(maxInt64, 9),
		categories: () => reader.categories.list(0n, 9),
		keys: () => reader.keys.list(),
		"a new key": () => reader.keys.find(later.record.hash),
		session: () => reader.sessions.find("none"),
		export: () => reader.openSnapshot({}),
		backup: () => backUp(reader),
		check: () => reader.check(),
		import: () =>
			reader.imports.check(toLines([{ category: "Dogs" }]), {
				createCategories: false,
				toName: String,
				importId: undefined,
				contentHash: "",
			}),
		add: () => catalogue.addPet({ pet: rex }),
		"repeated add": () => catalogue.addPet(repeated),
		"missing animal": () => catalogue.changePets([{ petId: 3n, set: rex }]),
	};
	const told = await Promise.all(
		Object.entries(reads).map(async ([name, read]) => {
			const found = await Promise.try(read).catch(() => "refused");
			return [name, found] as const;
		}),
	);
	expect(told.filter(([, found]) => found !== "refused")).toEqual([]);

	// Refused transactions do not take one connection of the server after the other.
	const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
	const { categories } = writers.at(-1) ?? reader;
	const counts: number[] = [];
	for (let time = 0; time < 5; time++) {
		const conflict = categories.set(8n, "dogs");
		await expect(conflict).rejects.toMatchObject(unavailable);
		counts.push(await countRows(server.url, waiting));
	}
	expect(counts.at(-1)).toBe(counts[1] ?? 0);

	expect(await list()).toBe(before);
	expect(await catalogue.getPet(1n)).toMatchObject(rex);
	expect(await reader.keys.find(kept.record.hash)).toMatchObject(kept.record);
	expect(
		(await reader.keys.find(revoked.record.hash))?.revokedAt,
	).toBeDefined();
	const late = await openStore(server.url, { access: "create" });
	const undo = { id: 5n, authored: byCommandLine(), maxAnimals: 9 };
	for (const read of [
		async () => late.catalogue.getPet(1n),
		async () => late.catalogue.listPets(firstPage),
		late.ping,
		reader.ping,
		() => edits.undo(undo, signal),
	])
		await expect(read()).rejects.toMatchObject(unavailable);

	await alterSystem(server.url, "RESET synchronous_standby_names");
	const isRead = async () =>
		(await Promise.try(() => catalogue.getPet(4n)).catch(() => undefined)) !==
		undefined;
	await waitFor(isRead);
	expect(await catalogue.addPet(repeated)).toMatchObject({
		outcome: "replayed",
		id: 4n,
	});
	expect(await late.catalogue.getPet(1n)).toMatchObject(rex);
	await late.close();
	const ids = (await catalogue.listPets(firstPage)).map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
}, 60_000);
