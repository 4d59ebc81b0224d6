// What each statement of the store costs in a large catalogue: the plans that both engines choose for it.
import { describe, expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/author.ts";
import { maxInt64 } from "../../src/domain/json.ts";
import { petStatuses } from "../../src/domain/pet.ts";
import { addPets } from "../../src/store/adds.ts";
import { type StatementName, statements } from "../../src/store/statements.ts";
import type { Store } from "../../src/store/store.ts";
import { tableNames, tables, toSqlName } from "../../src/store/tables.ts";
import { backUp, restore } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { type Engine, executeOn, importLines, newDatabase } from "./engines.ts";
import { openPlanned, type Plan } from "./plans.ts";

/** PostgreSQL compiles dearer plans, if its session lets it. */
const jitAboveCost = 100_000;

/** Statements that only the engines use, about one row, and what only the other engine has. */
const unseen: Readonly<Record<Engine, readonly StatementName[]>> = {
	sqlite: ["read clock", "describe", "add animals"],
	postgres: [...(["read clock", "describe"] as const), "find newest time"],
};

describe.each([
	["sqlite", "never analysed"],
	["postgres", "never analysed"],
	["postgres", "analysed when they were small"],
] as const)("%s, tables %s", (engine, analysis) => {
	test("no statement reads a whole table that is declared not to, even with plans for ten rows", async () => {
		const { url, remove } = await newDatabase(engine);
		let plans: Plan[] | undefined;
		const store = await openPlanned(engine, url, () => plans);
		if (engine === "postgres") await executeOn(engine, url, withoutAnalysis);
		if (analysis !== "never analysed") {
			// So many rows are the fewest that PostgreSQL analyses by itself.
			await executeOn(engine, url, toGrowth(engine, 0, 60));
			await execute(url, "ANALYZE");
		}
		// PostgreSQL keeps a plan that it has made six times. SQLite makes each once.
		const turns = engine === "postgres" ? 10 : 1;
		for (let turn = 1; turn <= turns; turn++) await useAll(store, turn);
		const small = await backUp(store);
		// An idle session would be closed, and with it its plans.
		const use = setInterval(store.ping, 500);
		await executeOn(engine, url, toGrowth(engine, 60, 100_000));
		// Plans end after a second.
		await Bun.sleep(1_000);
		clearInterval(use);
		plans = [];
		await useAll(store, turns + 1);
		(await backUp(store)).remove();
		await restore(store, small.path).catch(() => {});
		await restore(store, small.path, { replace: true });
		await store.archive.fill([{ id: 1n, ...rex }]);
		await store.close();
		await remove();
		const planned = new Set(plans.map(({ name }) => name));
		const all = [
			...(Object.keys(statements) as StatementName[]),
			...tableNames
				.filter((name) => tables[name].isArchived !== false)
				.map((name): StatementName => `insert ${name}`),
		];
		expect(all.filter((name) => !planned.has(name))).toEqual([
			...unseen[engine],
		]);
		const wrong = plans.filter(
			({ name, scans, cost }) =>
				(toCost(name) !== "whole" && scans.length > 0) || cost > jitAboveCost,
		);
		expect([
			...new Map(wrong.map((plan) => [plan.text, plan])).values(),
		]).toEqual([]);
	}, 120_000);
});

function toCost(name: StatementName) {
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
	});
	const id = "id" in rest ? rest.id : 0n;
	for (const status of [undefined, ...petStatuses])
		for (const maxId of [maxInt64, id])
			await catalogue.listPets({ status, maxId, limit: 20 });
	await catalogue.getPet(id);
	await catalogue.readCounts();
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
	await edits.list(maxInt64, 20);
	const undo = { authored, maxAnimals: 100 };
	await edits.undo({ ...undo, id: edit }, signal);
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
	await categories.list(1n, 20);
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
	await keys.list({ after: 1n, limit: 20 });
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
	await sessions.deleteAll();
	await sessions.addLink({ ...link, expiresAt: 0 });
	await store.isClockDoubtful(now);
	await store.cleanUp(now);
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

/** Many rows for each table that grows, with ids and positions that do not meet those of `useAll`. */
function toGrowth(engine: Engine, after: number, many: number) {
	const rows = (count: number) =>
		engine === "postgres"
			? `FROM generate_series(${after + 1}, ${after + count}) AS series (n)`
			: `FROM (WITH RECURSIVE series (n) AS (SELECT ${after + 1} UNION ALL SELECT n + 1 FROM series WHERE n < ${after + count}) SELECT n FROM series) AS series`;
	const some = Math.min(many, 10_000);
	return (schema: string) =>
		[
			`pets (id, name, category_id, status, version, added_at, added_by, folded_name)
				SELECT 1000000 + n, 'Rex', 1000000 + ${after} + n % ${some}, CASE n % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END, 2000000 + n, 1, 'link', 'rex' ${rows(many)}`,
			`edits (id, at, author, kind, added, changed, removed) SELECT 2000000 + n, 1790000000000, 'link', 'changed', 0, 1, 0 ${rows(many)}`,
			`history (position, pet_id, kind, edit, name, category_id, status, version, added_at, added_by)
				SELECT 2000000 + n, 1000000 + n, 'changed', 2000000 + n, 'Rex', 1, 'sold', 1000000 + n, 1, 'link' ${rows(many)}`,
			`changes (pet_id, position, kind) SELECT 1000000 + n, 2000000 + n, 'changed' ${rows(many)}`,
			`counts (category_id, status, pets) SELECT category_id, status, count(*) FROM ${schema}pets WHERE id > 1000000 + ${after} AND id <= 1000000 + ${after + many} GROUP BY category_id, status`,
			`categories (id, name, compared_name) SELECT 100 + n, 'c' || n, 'c' || n ${rows(Math.min(many, 9_900))}`,
			`idempotency_keys (owner, key, fingerprint, pet_id, used_at) SELECT 'o' || n, 'k', 'f', 1, ${Date.now()} - n ${rows(many)}`,
			`imports (id, animals, finished_at, content_hash) SELECT 'i' || n, 1, 1, 'h' ${rows(many)}`,
			`keys (id, name, hash, prefix, scope, created_at) SELECT 1000 + n, 'k', 'h' || n, 'p', 'read', 1 ${rows(many)}`,
			`sessions (hash, created_at, last_used_at) SELECT 'h' || n, 1790000000000, 1790000000000 ${rows(many)}`,
			`sign_in_links (hash, expires_at) SELECT 'h' || n, ${Date.now() + 60_000} ${rows(many)}`,
		]
			.map((insert) => `INSERT INTO ${schema}${insert}`)
			.concat(
				`UPDATE ${schema}counter SET last = ${3_000_000 + 1_000 * after}`,
			);
}
