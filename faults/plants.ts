// Faults to plant in a copy of the service, each with the scenario that must catch it. They show that a scenario counts losses.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toBackupName } from "../src/backups/names.ts";
import type { FoundPet } from "../src/store/catalogue.ts";
import { loadBackupFiles } from "../src/store/open.ts";
import { type Variant, variant } from "../test/harness/variant.ts";

export interface Plant extends Variant {
	/** The scenario. */
	readonly caughtBy: string;
	/** Also planted in `npm run test:slow`. */
	readonly inTests?: true;
}

export const plantList = { file: "faults/plants.ts", export: "plants" };

export const plants: readonly Plant[] = [
	{ ...acknowledgedEarly("an add", "kill-service"), inTests: true },
	{ ...keyNotKept("kill-service"), inTests: true },
	keyNotKept("two-servers"),
	acknowledgedEarly("a change", "kill-changes"),
	{ ...changesAlone("kill-changes"), inTests: true },
	noHistory("kill-changes"),
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
		caughtBy: "feed",
	},
	{
		...variant(
			"a full disk is treated as an internal error",
			"src/store/sqlite/errors.ts",
			"toFailure",
			(toFailure) => (error) =>
				error instanceof Error &&
				"code" in error &&
				/FULL|IOERR/.test(`${error.code}`)
					? error
					: toFailure(error),
		),
		caughtBy: "disk-full",
	},
	failureAcknowledged("failing-writes"),
	failureAcknowledged("failing-syncs"),
	{ ...synchronous("OFF", "commits are not synced"), inTests: true },
	synchronous("NORMAL", "commits are synced only at checkpoints"),
	{
		...variant(
			"a key is shown before it is stored",
			"src/store/keys.ts",
			"openKeys",
			(openKeys) =>
				(...given) => {
					const keys = openKeys(...given);
					return {
						...keys,
						async add(key) {
							setTimeout(() => keys.add(key).catch(() => {}), 1);
							const unused = {
								revokedAt: undefined,
								lastUsedAt: undefined,
								deprecatedUseAt: undefined,
							};
							return { ...key, ...unused, id: 0 };
						},
					};
				},
		),
		caughtBy: "key-commands",
	},
	{
		...variant(
			"a backup is written under its final name",
			"src/backups/make.ts",
			"makeBackup",
			() => async (parts, place) => {
				const folder = "file" in place ? dirname(place.file) : place.folder;
				const origin = { catalogue: "00000000", madeAt: Date.now() };
				const path =
					"file" in place ? place.file : join(folder, toBackupName(origin));
				mkdirSync(folder, { recursive: true });
				writeFileSync(path, "", { mode: 0o600 });
				const { writeBackupFile } = await loadBackupFiles();
				await writeBackupFile(path, parts);
				return { path, animals: 0, bytes: 0, ms: 0 };
			},
		),
		caughtBy: "kill-backup",
		inTests: true,
	},
	{
		...variant(
			"a restore deletes and writes in two transactions",
			"src/store/archive/write.ts",
			"removeAll",
			(removeAll) => async (target) => {
				await removeAll(target);
				await target.sql("COMMIT");
				await target.sql("BEGIN IMMEDIATE");
				return true;
			},
		),
		caughtBy: "kill-restore",
		inTests: true,
	},
	partsCommitted("an import", "kill-import"),
	partsCommitted("an update", "kill-update"),
	{
		...variant(
			"an update leaves no history",
			"src/store/archive/import.ts",
			"writeImport",
			(writeImport) => (target, staged, options) =>
				writeImport(target, staged, options, false),
		),
		caughtBy: "postgres-kill-update",
	},
	keyIgnored("postgres-kill-service"),
	changesAlone("postgres-kill-changes"),
	{
		...variant(
			"the feed is read up to the last value of the sequence",
			"src/store/postgres/feed/horizon.ts",
			"createHorizon",
			() => (db) => async () => {
				const { rows } = await db.query<{ base: string; last: string }>({
					text: "SELECT base, (SELECT last_value FROM petstore.pet_ids) AS last FROM petstore.feed",
				});
				const base = BigInt(rows[0]?.base ?? 0);
				const last = BigInt(rows[0]?.last ?? 0);
				return { base, last, safe: last };
			},
		),
		caughtBy: "postgres-feed",
		inTests: true,
	},
	commitNotAwaited("postgres-restart"),
	keyIgnored("postgres-sessions"),
	keyIgnored("postgres-lost-reply"),
	commitNotAwaited("postgres-failover"),
];

function acknowledgedEarly(what: string, caughtBy: string): Plant {
	return {
		...variant(
			`${what} is acknowledged 20 ms before its commit`,
			"src/store/sqlite/requests/writer.ts",
			"createWriter",
			() => (db) => async (statements) => {
				if (!db.inTransaction) {
					db.run("BEGIN IMMEDIATE");
					setTimeout(() => db.run("COMMIT"), 20);
				}
				return statements();
			},
		),
		caughtBy,
	};
}

function keyNotKept(caughtBy: string): Plant {
	return {
		...variant(
			"an Idempotency-Key is not kept",
			"src/store/sqlite/requests/pet-transactions.ts",
			"preparePetTransactions",
			(preparePetTransactions) => (db) => {
				const transactions = preparePetTransactions(db);
				const addPets: typeof transactions.addPets = (additions) =>
					transactions.addPets(
						additions.map((addition) => ({
							...addition,
							idempotency: undefined,
						})),
					);
				return { ...transactions, addPets };
			},
		),
		caughtBy,
	};
}

function changesAlone(caughtBy: string): Plant {
	return {
		...variant(
			"each change of a batch is committed alone",
			"src/operator/service.ts",
			"openService",
			(openService) => (store, options) => {
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
					return { outcome: "changed", pets };
				};
				const alone = { ...store, catalogue: { ...catalogue, changePets } };
				return openService(alone, options);
			},
		),
		caughtBy,
	};
}

function noHistory(caughtBy: string): Plant {
	return {
		...variant(
			"one of ten changes has no entry in the history",
			"src/store/sqlite/feed/feed.ts",
			"prepareRecord",
			(prepareRecord) => (db) => {
				const record = prepareRecord(db);
				return (petId, kind, authored) =>
					record(petId, kind, Math.random() < 0.9 ? authored : undefined);
			},
		),
		caughtBy,
	};
}

function partsCommitted(what: string, caughtBy: string): Plant {
	return {
		...variant(
			`${what} commits each part of 1,000 lines`,
			"src/store/archive/import.ts",
			"writeImport",
			(writeImport) => (target, staged, options) =>
				writeImport(target, staged, {
					...options,
					onProgress(count) {
						options.onProgress(count);
						target.sql("COMMIT");
						target.sql("BEGIN IMMEDIATE");
					},
				}),
		),
		caughtBy,
	};
}

function failureAcknowledged(caughtBy: string): Plant {
	return {
		...variant(
			"an add whose commit failed is acknowledged",
			"src/store/sqlite/requests/catalogue.ts",
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
		caughtBy,
	};
}

function synchronous(level: "OFF" | "NORMAL", fault: string): Plant {
	return {
		...variant(
			`${fault} (\`synchronous=${level}\`)`,
			"src/store/sqlite/database.ts",
			"configure",
			(configure) => (db) => {
				configure(db);
				db.run(`PRAGMA synchronous = ${level}`);
			},
		),
		caughtBy: "power-loss",
	};
}

function keyIgnored(caughtBy: string): Plant {
	return {
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
		caughtBy,
	};
}

function commitNotAwaited(caughtBy: string): Plant {
	return {
		...variant(
			"commits are not waited for (`synchronous_commit=off`)",
			"src/store/postgres/connection.ts",
			"durableCommits",
			() => "set_config('synchronous_commit', 'off', false)",
		),
		caughtBy,
	};
}
