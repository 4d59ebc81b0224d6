// Faults to plant in a copy of the service, each with the scenario that must catch it. They show that a scenario counts losses.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBackupName } from "../src/backups/folder.ts";
import type { FoundPet } from "../src/store/changes.ts";
import { run, type Work } from "../src/store/sql.ts";
import { createBackupFile } from "../src/store/sqlite/backup-file.ts";
import { type Variant, variant } from "../test/harness/variant.ts";

export interface Plant extends Variant {
	/** The scenarios. */
	readonly caughtBy: readonly string[];
}

export const plants: readonly Plant[] = [
	{
		...variant(
			"an add is acknowledged 20 ms before its commit",
			"src/store/sqlite/engine.ts",
			"openSqlite",
			(openSqlite) =>
				(...given) => {
					const engine = openSqlite(...given);
					const write: typeof engine.write = async (work) => {
						const rolledBack = { result: undefined as unknown };
						await engine
							.write(function* () {
								rolledBack.result = yield* work();
								throw rolledBack;
							})
							.catch((error) => {
								if (error !== rolledBack) throw error;
							});
						setTimeout(() => engine.write(work).catch(() => {}), 20);
						return rolledBack.result as never;
					};
					return { ...engine, write };
				},
		),
		caughtBy: ["kill-adds"],
	},
	{
		...variant(
			"each change of a batch is committed alone",
			"src/operator/interface.ts",
			"createOperator",
			(createOperator) => (service, authentication, document) => {
				const { store } = service;
				const { catalogue } = store;
				const changePets: typeof catalogue.changePets = async (
					changes,
					authored,
				) => {
					const pets: (FoundPet | undefined)[] = [];
					for (const change of changes) {
						const changed = await catalogue.changePets([change], authored);
						if (changed.outcome !== "changed") return changed;
						pets.push(...changed.pets);
					}
					const totals = { added: 0, changed: 0, removed: 0 };
					return { outcome: "changed", pets, totals };
				};
				const alone = { ...store, catalogue: { ...catalogue, changePets } };
				const changed = { ...service, store: alone };
				return createOperator(changed, authentication, document);
			},
		),
		caughtBy: ["kill-changes"],
	},
	{
		...variant(
			"one of ten changes has no entry in the history",
			"src/store/changes.ts",
			"changePets",
			(changePets) =>
				function* (calls) {
					const changed = yield* changePets(calls);
					if (Math.random() < 0.1)
						yield* run(
							"delete all rows",
							"DELETE FROM history WHERE position = (SELECT last FROM counter)",
						);
					return changed;
				},
		),
		caughtBy: ["kill-changes"],
	},
	{
		...variant(
			"an import commits parts of its lines",
			"src/store/import.ts",
			"openImports",
			(openImports) => (archive, keepsHistory) => {
				const write: typeof archive.write = (toWork) =>
					archive.write(() => inParts(toWork()));
				return openImports({ ...archive, write }, keepsHistory);
			},
		),
		caughtBy: ["kill-import"],
	},
	{
		...variant(
			"a batch or an undo commits parts of it",
			"src/store/sqlite/engine.ts",
			"openSqlite",
			(openSqlite) =>
				(...given) => {
					const engine = openSqlite(...given);
					const writeLong: typeof engine.writeLong = (toWork) =>
						engine.writeLong(() => inParts(toWork()));
					return { ...engine, writeLong };
				},
		),
		caughtBy: ["kill-edits"],
	},
	{
		...variant(
			"a backup is written under its final name",
			"src/backups/make.ts",
			"makeBackup",
			() =>
				async (run, { folder, name }) => {
					const byTime = toBackupName("00000000", Date.now(), 0);
					const path = join(folder, name ?? byTime);
					mkdirSync(folder, { recursive: true });
					writeFileSync(path, "", { mode: 0o600 });
					const file = createBackupFile(path);
					return run(function* () {
						yield* file.write(undefined);
						return { path, animals: 0, bytes: 0 };
					}).finally(file.close);
				},
		),
		caughtBy: ["kill-backup"],
	},
	{
		...variant(
			"a restore deletes and writes in two transactions",
			"src/store/transfer.ts",
			"transfer",
			(transfer) =>
				function* (...given) {
					yield* run("delete all rows", "DELETE FROM pets");
					yield* run("delete all rows", "COMMIT");
					yield* run("delete all rows", "BEGIN IMMEDIATE");
					return yield* transfer(...given);
				},
		),
		caughtBy: ["kill-restore"],
	},
	{
		...variant(
			"an add whose commit failed is acknowledged",
			"src/store/catalogue.ts",
			"openCatalogue",
			(openCatalogue) =>
				(...given) => {
					const catalogue = openCatalogue(...given);
					const addPet: typeof catalogue.addPet = (...addition) =>
						catalogue
							.addPet(...addition)
							.catch(() => ({ outcome: "added", id: 1n }));
					return { ...catalogue, addPet };
				},
		),
		caughtBy: ["disk-full"],
	},
	{
		...variant(
			"commits are synced only at checkpoints (`synchronous=NORMAL`)",
			"src/store/sqlite/connection.ts",
			"connect",
			(connect) =>
				(...given) => {
					const db = connect(...given);
					db.run("PRAGMA synchronous = NORMAL");
					return db;
				},
		),
		caughtBy: ["power-loss"],
	},
	{
		...variant(
			"an Idempotency-Key is ignored",
			"src/v1/add.ts",
			"addPet",
			(addPet) => (service, call) => {
				const { catalogue } = service;
				const ignoring: typeof catalogue = {
					...catalogue,
					addPet: (addition) =>
						catalogue.addPet({ ...addition, idempotency: undefined }),
				};
				return addPet({ ...service, catalogue: ignoring }, call);
			},
		),
		caughtBy: ["postgres-kill-adds", "postgres-lost-reply"],
	},
	{
		...variant(
			"a reader of the feed goes on after the newest position, also if it got only a part",
			"src/store/feed.ts",
			"openFeed",
			(openFeed) =>
				(...parts) => {
					const feed = openFeed(...parts);
					const read: typeof feed.read = async (query) => {
						const page = await feed.read(query);
						const next = await feed.last();
						return page === "gone" ? page : { ...page, next };
					};
					return { ...feed, read };
				},
		),
		caughtBy: ["postgres-kill-changes"],
	},
	{
		...variant(
			"an update leaves no history",
			"src/store/import.ts",
			"openImports",
			(openImports) => (archive, keepsHistory) => {
				const write: typeof archive.write = (toWork) =>
					archive.write(function* () {
						const done = yield* toWork();
						yield* run("delete all rows", "DELETE FROM history");
						return done;
					});
				return openImports({ ...archive, write }, keepsHistory);
			},
		),
		caughtBy: ["postgres-kill-import"],
	},
	{
		...variant(
			"the flush before a reply does not wait for the disk",
			"src/store/postgres/connection.ts",
			"flushed",
			() => "'off'",
		),
		caughtBy: ["postgres-restart", "postgres-failover"],
	},
];

/** Commits after every twenty steps, on SQLite. */
function* inParts<Result>(work: Work<Result>): Work<Result> {
	let step = work.next([]);
	for (let steps = 1; !step.done; steps++) {
		const answers = yield step.value;
		if (steps % 20 === 0) {
			yield* run("delete all rows", "COMMIT");
			yield* run("delete all rows", "BEGIN IMMEDIATE");
		}
		step = work.next(answers);
	}
	return step.value;
}
