// What each statement of the store costs in a large catalogue: the plans that both engines choose for it.
import { describe, expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { petStatuses } from "../../src/domain/pet/pet.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { signInLinkMs } from "../../src/store/access/sessions.ts";
import { addPets } from "../../src/store/animals/add.ts";
import {
	type Cost,
	type StatementName,
	statements,
} from "../../src/store/database/statements.ts";
import {
	tableNames,
	tables,
	toSqlName,
} from "../../src/store/database/tables.ts";
import type { Store } from "../../src/store/store.ts";
import { backUp, restore } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { type Engine, executeOn, importLines, newDatabase } from "./engines.ts";
import { openCounted, type Run } from "./visits.ts";

const ofBackups = ["list valid keys", "read seal"] as const;

/** Statements that only the engines use, about one row, those of the files of backups, and what only the other engine has. */
const unseen: Readonly<Record<Engine, readonly StatementName[]>> = {
	sqlite: ["read clock", "describe", "add animals", ...ofBackups],
	postgres: ["read clock", "describe", ...ofBackups, "find newest time"],
};

/**
 * The most that a statement may visit among `growth` times as many rows, if it visits so much among few. Trees get deeper: for SQLite that
 * is a page more for each key that is given.
 */
const limits: Readonly<Record<Cost, (few: number, given: number) => number>> = {
	constant: (few) => few + 10,
	logarithmic: (few) => Math.min(2 * few + 10, 100),
	page: (few, given) => 2 * few + 40 + 3 * given,
	whole: (few) => 3 * growth * few + 100,
};

const fewRows = 4_000;
const growth = 16;

describe.each([
	["sqlite", "never analysed"],
	["postgres", "never analysed"],
	["postgres", "analysed when they were small"],
] as const)("%s, tables %s", (engine, analysis) => {
	test("no statement visits more in a larger catalogue than its class allows, even with plans for ten rows", async () => {
		const smaller = visitAll(engine, analysis, fewRows);
		// The pages of SQLite are counted for the thread.
		if (engine === "sqlite") await smaller;
		const larger = visitAll(engine, analysis, growth * fewRows);
		const [few, many] = await Promise.all([smaller, larger]);
		const all = [
			...(Object.keys(statements) as StatementName[]),
			...tableNames
				.filter((name) => tables[name].isArchived !== false)
				.map((name): StatementName => `insert ${name}`),
		];
		const seen = new Set(many.map(({ name }) => name));
		expect(new Set(all).difference(seen)).toEqual(new Set(unseen[engine]));
		const before = toMaxima(few);
		const grown = [...toMaxima(many).values()].flatMap((run) => {
			const { name, text, given, visits } = run;
			const least = before.get(text)?.visits ?? 0;
			const limit = limits[toCost(name)](least, given);
			return visits <= limit ? [] : [{ name, text, least, visits, limit }];
		});
		expect(grown).toEqual([]);
	}, 300_000);
});

/** Calls each method of a new store with so many rows, and returns what the statements visited. */
async function visitAll(
	engine: Engine,
	analysis: string,
	rows: number,
): Promise<readonly Run[]> {
	const { url, remove } = await newDatabase(engine);
	let runs: Run[] | undefined;
	const store = await openCounted(engine, url, () => runs);
	if (engine === "postgres") await executeOn(engine, url, withoutAnalysis);
	if (analysis !== "never analysed") {
		// So many rows are the fewest that PostgreSQL analyses by itself.
		await executeOn(engine, url, toGrowth(engine, 0, 60));
		await execute(url, "ANALYZE");
	}
	// PostgreSQL keeps a plan that it has made six times. SQLite makes each once.
	const turns = engine === "postgres" ? 7 : 1;
	for (let turn = 1; turn <= turns; turn++) await useAll(store, turn);
	const small = await backUp(store);
	// An idle session would be closed, and with it its plans.
	const use = setInterval(store.ping, 500);
	await executeOn(engine, url, toGrowth(engine, 60, rows));
	// Plans end after a second.
	await Bun.sleep(1_000);
	clearInterval(use);
	runs = [];
	await useAll(store, turns + 1);
	(await backUp(store)).remove();
	await restore(store, small.path).catch(() => {});
	await restore(store, small.path, { replace: true });
	await store.archive.fill([{ id: 1n, ...rex }]);
	await store.close();
	await remove();
	return runs;
}

/** Of each text the run that visited most. */
function toMaxima(runs: readonly Run[]): ReadonlyMap<string, Run> {
	return new Map(
		runs
			.toSorted((one, other) => one.visits - other.visits)
			.map((run) => [run.text, run]),
	);
}

function toCost(name: StatementName): Cost {
	return name in statements
		? statements[name as keyof typeof statements]
		: "page";
}

/** Calls each method of the store. */
async function useAll(store: Store, turn: number): Promise<void> {
	const { catalogue, categories, keys, sessions, edits, history } = store;
	const now = Date.now();
	const authored = byCommandLine();
	const { signal } = new AbortController();
	const key = makeKey();
	const added = await keys.add(key.record);
	const { hash } = key.record;
	const idempotency = { owner: hash, key: "k", fingerprint: "f", at: now };
	for (const one of [idempotency, undefined])
		await catalogue.addPet({ pet: rex, idempotency: one });
	const name = `only ${turn}`;
	const { outcome, ...rest } = await catalogue.addPet({
		pet: { ...rex, name },
		origin: { at: now, by: `${added.id}` },
	});
	const id = "id" in rest ? rest.id : 0n;
	for (const status of [undefined, ...petStatuses])
		for (const maxId of [maxInt64, id])
			await catalogue.listPets({ status, maxId, limit: 20 });
	await catalogue.getPet(id);
	for (const one of [undefined, 5n]) await catalogue.readTotals(one);
	// More than one at a time, as SQLite adds them.
	const pair = [{ pet: rex, idempotency: { ...idempotency, key: "two" } }];
	await store.archive.write(() => addPets(pair));
	// A search of more ids looks at so many at once that a scan is right.
	const search = { limit: 20, maxId: 1_003_000n, isLimited: true };
	for (const filter of [
		...[{ name }, { id }, { categoryId: 5n }, {}],
		{ name, status: "sold" } as const,
	])
		await catalogue.findPets({ ...search, filter });
	const set = { status: "sold" } as const;
	await catalogue.changePets([{ petId: id, set }], authored);
	const { edit = 0n } = await catalogue.changeAll(
		{ filter: { name }, set: { status: "pending" }, expected: 1 },
		authored,
		signal,
	);
	await edits.find(edit);
	for (const maxId of [0n, maxInt64]) await edits.list(maxId, 20);
	const undo = { authored, maxAnimals: 100 };
	await edits.undo({ ...undo, id: edit, untouched: true }, signal);
	await edits.undo({ ...undo, id: 1n }, signal).catch(() => {});
	const query = { maxPosition: maxInt64, limit: 20 };
	for (const one of [{}, { edit }, { name, by: "command line" }])
		await history.readAll({ ...query, ...one });
	await history.readOf(id, query);
	await history.findVersion(id, id);
	await catalogue.changePets([{ petId: id, set: undefined }], authored);
	await history.readOf(id, query);
	await history.readOf(id + 1_000_000n, query);
	for (const after of [0n, (await store.feed.last()) - 5n])
		await store.feed.read({ after, limit: 20 });

	await categories.set(BigInt(turn), name);
	for (const from of [1n, maxInt64]) await categories.list(from, 20);
	await categories.remove((await categories.add(`other ${turn}`)).id);
	for (const createCategories of [false, true])
		await importLines(store, [{ ...rex, category: `made ${name}` }], {
			importId: name,
			createCategories,
		});
	const snapshot = await store.openSnapshot({ name });
	await snapshot.next(1_000);
	await snapshot.close();

	await keys.find(hash);
	for (const after of [1n, maxInt64]) await keys.list({ after, limit: 20 });
	await keys.recordUse(hash, now);
	await keys.change(added.id, { name });
	await keys.revoke(added.id, now);
	const session = `session ${turn}`;
	await sessions.add({ hash: session, keyHash: hash, createdAt: now });
	await sessions.find(session);
	await sessions.recordUse(session, now);
	await sessions.delete(session);
	const link = { hash: session, expiresAt: now + 1_000 };
	await sessions.addLink(link);
	await sessions.useLink(session, now);
	await sessions.addLink({ ...link, expiresAt: 0 });
	await sessions.add({ hash: session, keyHash: hash, createdAt: 1 });
	await keys.add({ ...makeKey().record, expiresAt: 1 });
	const expired = { ...idempotency, key: "old", at: 1 };
	await catalogue.addPet({ pet: rex, idempotency: expired });
	// A small old edit, and a large one.
	for (const count of [1, 300])
		await importLines(store, Array(count).fill(rex), {
			importId: `old ${name} ${count}`,
			authored: byCommandLine(1),
		});
	await store.isClockDoubtful(now);
	await store.cleanUp(now);
	await sessions.deleteAll();
	await store.backups.begin(now);
	await store.backups.begin(now, 1);
	await store.backups.succeed(now);
	await store.check();
	expect(outcome).toBe("added");
}

/** PostgreSQL counts the rows of a table only when it is told to. */
function withoutAnalysis(schema: string): readonly string[] {
	return tableNames.map(
		(name) =>
			`ALTER TABLE ${schema}${toSqlName(name)} SET (autovacuum_enabled = off)`,
	);
}

/**
 * Many rows for each table that grows, with ids and positions that do not meet those of `useAll`. Every tenth is old, sessions by their
 * last use or by their creation. As many categories as can have a name
 * have one. The animals of a status follow each other.
 */
function toGrowth(engine: Engine, after: number, many: number) {
	const to = after + many;
	const rows = (which = "true") =>
		engine === "postgres"
			? `FROM generate_series(${after + 1}, ${to}) AS series (n) WHERE ${which}`
			: `FROM (WITH RECURSIVE series (n) AS (SELECT ${after + 1} UNION ALL SELECT n + 1 FROM series WHERE n < ${to}) SELECT n FROM series) AS series WHERE ${which}`;
	const now = Date.now();
	const toTime = (old: string) => `CASE WHEN ${old} THEN n ELSE ${now} - n END`;
	const at = toTime("n % 10 = 0");
	const status =
		"CASE WHEN n < 100 THEN 'sold' WHEN n < 1000 THEN 'pending' ELSE 'available' END";
	return (schema: string) =>
		[
			`pets (id, name, category_id, status, version, added_at, added_by, folded_name)
				SELECT 1000000 + n, 'Rex', 1000000 + (n + 1) / 2, ${status}, 2000000 + n, 1, 'link', 'rex' ${rows()}`,
			`edits (id, at, author, kind, added, changed, removed) SELECT 2000000 + n, ${at}, 'link', 'changed', 0, 1, 0 ${rows()}`,
			`history (position, pet_id, kind, edit, name, category_id, status, version, added_at, added_by)
				SELECT 2000000 + n, 1000000 + n, 'changed', 2000000 + n, 'Rex', 1, 'sold', 1000000 + n, 1, 'link' ${rows()}`,
			`changes (pet_id, position, kind) SELECT 1000000 + n, 2000000 + n, 'changed' ${rows()}`,
			`counts (category_id, status, pets) SELECT category_id, status, count(*) FROM ${schema}pets WHERE id > 1000000 + ${after} AND id <= 1000000 + ${to} GROUP BY category_id, status`,
			`categories (id, name, compared_name) SELECT 100 + n, 'c' || n, 'c' || n ${rows("n < 9500")}`,
			`idempotency_keys (owner, key, fingerprint, pet_id, used_at) SELECT 'o' || n, 'k', 'f', 1, ${at} ${rows()}`,
			`imports (id, animals, finished_at, content_hash) SELECT 'i' || n, 1, ${at}, 'h' ${rows()}`,
			`keys (id, name, hash, prefix, scope, created_at, revoked_at) SELECT 1000 + n, 'k', 'h' || n, 'p', 'read', 1, CASE WHEN n % 10 = 0 THEN n END ${rows()}`,
			`sessions (hash, created_at, last_used_at) SELECT 'h' || n, ${toTime("n % 20 = 0")}, ${toTime("n % 20 = 10")} ${rows()}`,
			`sign_in_links (hash, expires_at) SELECT 'h' || n, ${signInLinkMs} + ${at} ${rows()}`,
		]
			.map((insert) => `INSERT INTO ${schema}${insert}`)
			.concat(
				`UPDATE ${schema}counter SET last = ${3_000_000 + 1_000 * after}`,
			);
}
