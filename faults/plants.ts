// Faults to plant in a copy of the service, each with the scenarios that must catch it. They show that a scenario counts losses.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toBackupName } from "../src/backups/folder.ts";
import type { FoundPet } from "../src/store/animals/change.ts";
import type { Engine } from "../src/store/database/engine.ts";
import { run, type Work } from "../src/store/database/sql.ts";
import { createBackupFile } from "../src/store/sqlite/backup-file.ts";
import { type Variant, variant } from "../test/harness/variant.ts";

export const plants: readonly Variant[] = [
	variant(
		["kill-adds"],
		"an add is acknowledged 20 ms before its commit",
		"src/store/sqlite/engine.ts",
		"openSqlite",
		changing((engine) => ({
			async write(work) {
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
			},
		})),
	),
	variant(
		["kill-changes"],
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
	variant(
		["kill-changes"],
		"one of ten changes has no entry in the history",
		"src/store/animals/change.ts",
		"changePets",
		(changePets) =>
			function* (calls) {
				const changed = yield* changePets(calls);
				if (Math.random() < 0.1)
					yield* run(
						"delete all rows",
						"DELETE FROM history WHERE position = (SELECT max(last) FROM counter)",
					);
				return changed;
			},
	),
	variant(
		["kill-import"],
		"an import commits parts of its lines",
		"src/store/animals/planned.ts",
		"openPlannedWrites",
		(openPlannedWrites) => (engine, readMoment) =>
			openPlannedWrites({ ...engine, ...inParts(engine) }, readMoment),
	),
	variant(
		["kill-edits"],
		"a batch or an undo commits parts of it",
		"src/store/sqlite/engine.ts",
		"openSqlite",
		changing(inParts),
	),
	variant(
		["kill-backup"],
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
	variant(
		["kill-restore"],
		"a restore deletes and writes in two transactions",
		"src/store/files/transfer.ts",
		"transfer",
		(transfer) =>
			function* (...given) {
				yield* run("delete all rows", "DELETE FROM pets");
				yield* commit();
				return yield* transfer(...given);
			},
	),
	variant(
		["disk-full"],
		"an add whose commit failed is acknowledged",
		"src/store/animals/catalogue.ts",
		"openCatalogue",
		changing(({ addPet }) => ({
			addPet: (addition) =>
				addPet(addition).catch(() => ({ outcome: "added", id: 1n })),
		})),
	),
	variant(
		["power-loss"],
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
	variant(
		["postgres-kill-adds", "postgres-restart"],
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
	variant(
		["postgres-kill-changes"],
		"a reader of the feed goes on after the newest position, also if it got only a part",
		"src/store/edits/feed.ts",
		"openFeed",
		changing(({ read, last }) => ({
			async read(query) {
				const page = await read(query);
				const next = await last();
				return page === "gone" ? page : { ...page, next };
			},
		})),
	),
	variant(
		["postgres-kill-import"],
		"an update leaves no history",
		"src/store/animals/planned.ts",
		"openPlannedWrites",
		(openPlannedWrites) => (engine, readMoment) => {
			const writeLong: typeof engine.writeLong = (toWork) =>
				engine.writeLong(function* () {
					const done = yield* toWork();
					yield* run("delete all rows", "DELETE FROM history");
					return done;
				});
			return openPlannedWrites({ ...engine, writeLong }, readMoment);
		},
	),
	variant(
		["postgres-restart", "postgres-failover"],
		"the flush before a reply does not wait for the disk",
		"src/store/postgres/connection.ts",
		"flushed",
		() => "'off'",
	),
	variant(
		["postgres-restart-slow-flush"],
		"a read does not wait for a flush",
		"src/store/postgres/flush.ts",
		"openDurability",
		changing(({ session }) => ({
			session: async () => ({
				...(await session()),
				confirm: () => undefined,
			}),
		})),
	),
	variant(
		["postgres-lost-commits"],
		"timelines are not compared",
		"src/store/postgres/course.ts",
		"followCourse",
		() => async () => "",
	),
];

/** Changes members of what a function opens. */
function changing<Given extends unknown[], Opened>(
	change: (opened: Opened) => Partial<Opened>,
) {
	return (open: (...given: Given) => Opened) =>
		(...given: Given): Opened => {
			const opened = open(...given);
			return { ...opened, ...change(opened) };
		};
}

/** Commits after every twenty steps, on SQLite. */
function inParts({ writeLong }: Engine): Pick<Engine, "writeLong"> {
	function* part<Result>(work: Work<Result>): Work<Result> {
		let step = work.next([]);
		for (let steps = 1; !step.done; steps++) {
			const answers = yield step.value;
			if (steps % 20 === 0) yield* commit();
			step = work.next(answers);
		}
		return step.value;
	}
	return { writeLong: (toWork) => writeLong(() => part(toWork())) };
}

function* commit(): Work<void> {
	yield* run("delete all rows", "COMMIT");
	yield* run("delete all rows", "BEGIN IMMEDIATE");
}
