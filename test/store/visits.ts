// Counts the pages that each statement of a store visits, in the session that runs it.
import { readFileSync } from "node:fs";
import type { Engine as StoreEngine } from "../../src/store/database/engine.ts";
import {
	all,
	run,
	type Statement,
	type Step,
	toMove,
	type Work,
} from "../../src/store/database/sql.ts";
import type { StatementName } from "../../src/store/database/statements.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { toArrayInserts } from "../../src/store/postgres/inserts.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import { toStore } from "../../src/store/store.ts";
import { type Engine, toPath } from "./engines.ts";

export interface Run extends Pick<Statement, "name" | "text"> {
	/** The number of its values, or of its rows. */
	readonly given: number;
	/** Pages that it looked up in the cache or read, each as often as it did; on PostgreSQL also rows of each node of its plan. */
	readonly visits: number;
}

/** A store that adds what each of its statements visits to the list, when there is one. */
export async function openCounted(
	engine: Engine,
	url: string,
	toList: () => Run[] | undefined,
) {
	const isSqlite = engine === "sqlite";
	const inner = isSqlite
		? openSqlite(toPath(url), "create", true)
		: await openPostgres(url, "create");
	const follow = isSqlite ? followSqlite : followPostgres;

	function* count<Result>(work: Work<Result>): Work<Result> {
		const runs = toList();
		return yield* runs === undefined ? work : follow(work, runs);
	}

	const { toReadOne } = inner;
	const counted: StoreEngine = {
		...inner,
		read: (work, known) => inner.read(() => count(work()), known),
		write: (work, since) => inner.write(() => count(work()), since),
		writeLong: (work) => inner.writeLong(() => count(work())),
		async openSnapshot() {
			const snapshot = await inner.openSnapshot();
			return {
				...snapshot,
				read: (work) => snapshot.read(() => count(work())),
			};
		},
		...(toReadOne && {
			toReadOne<Row>(name: StatementName, text: string) {
				const readOne = toReadOne<Row>(name, text);
				return async (value) => {
					await counted.read(() => all(name, text, [value]));
					return readOne(value);
				};
			},
		}),
	};
	return toStore(counted, true);
}

/** Without a cache, each page that a statement visits is one call that reads. A page that it has changed is not. */
function* followSqlite<Result>(work: Work<Result>, runs: Run[]): Work<Result> {
	yield* all("describe", "PRAGMA cache_size = 0");
	let step = work.next([]);
	while (!step.done) {
		const { value } = step;
		const parts: readonly Step[] =
			"asks" in value ? value.asks.map((one) => ({ asks: [one] })) : [value];
		const answers: (readonly never[])[] = [];
		for (const part of parts) {
			const before = countReads();
			answers.push(...(yield part));
			const visits = countReads() - before - ownReads;
			const rows = "inserts" in part ? part.inserts.rows : undefined;
			for (const { name, text, values } of toStatements(part).slice(0, 1)) {
				const given = (rows ?? values).length;
				runs.push({ name, text, given, visits });
			}
		}
		step = work.next(answers);
	}
	return step.value;
}

/** Of this thread, in which SQLite runs. */
function countReads(): number {
	const counts = readFileSync("/proc/thread-self/io", "utf8");
	return Number(/^syscr: (\d+)/m.exec(counts)?.[1]);
}

/** That a count needs itself. */
const ownReads = -countReads() + countReads();

function toStatements(step: Step): readonly Statement[] {
	if ("asks" in step) return step.asks;
	if ("pauses" in step) return [];
	if ("runs" in step) return [step.runs];
	if ("inserts" in step) return toArrayInserts(step.inserts);
	return [toMove(step.moves)];
}

/** Each statement runs twice: its own changes are rolled back, so that the second one is as the first. */
function* followPostgres<Result>(
	work: Work<Result>,
	runs: Run[],
): Work<Result> {
	let step = work.next([]);
	while (!step.done) {
		for (const one of toStatements(step.value)) {
			const writes = /\b(INSERT|UPDATE|DELETE)\b/.test(one.text);
			if (writes) yield* run("describe", "SAVEPOINT counted");
			const { name, text, values } = one;
			const visits = yield* explain(one);
			runs.push({ name, text, given: values.length, visits });
			if (writes) yield* run("describe", "ROLLBACK TO SAVEPOINT counted");
		}
		step = work.next(yield step.value);
	}
	return step.value;
}

interface Node {
	readonly "Actual Rows": number;
	readonly "Actual Loops": number;
	readonly "Rows Removed by Filter"?: number;
	readonly "Shared Hit Blocks": number;
	readonly "Shared Read Blocks": number;
	readonly Plans?: readonly Node[];
}

/** A statement that the session has prepared has the plan that the session keeps for it. */
function* explain({ text, values }: Statement): Work<number> {
	const [prepared] = yield* all<{ name: string }>(
		"describe",
		"SELECT name FROM pg_prepared_statements WHERE statement = $1",
		[text],
	);
	const given = values.map((value) =>
		value === null ? "NULL" : `'${String(value).replaceAll("'", "''")}'`,
	);
	const list = given.length > 0 ? `(${given.join(", ")})` : "";
	const [row] = yield* all<{ "QUERY PLAN": readonly [{ Plan: Node }] }>(
		"describe",
		`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${prepared ? `EXECUTE ${prepared.name}${list}` : text}`,
		prepared ? [] : values,
	);
	const top = row?.["QUERY PLAN"][0].Plan;
	if (top === undefined) throw new Error(`no plan of ${text}`);
	// The pages of a node are also those of the nodes below it.
	const pages = top["Shared Hit Blocks"] + top["Shared Read Blocks"];
	return pages + countRows(top);
}

function countRows(node: Node): number {
	const { "Rows Removed by Filter": removed = 0, Plans = [] } = node;
	return Plans.reduce(
		(sum, below) => sum + countRows(below),
		(node["Actual Rows"] + removed) * node["Actual Loops"],
	);
}
