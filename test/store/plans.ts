// Reads the plan of each statement of a store, in the session that runs it and before it runs.
import { Database } from "bun:sqlite";
import type { Engine as StoreEngine } from "../../src/store/engine.ts";
import { openPostgres } from "../../src/store/postgres/engine.ts";
import { postgres } from "../../src/store/postgres/inserts.ts";
import {
	all,
	type Statement,
	type Step,
	type Work,
} from "../../src/store/sql.ts";
import { openSqlite } from "../../src/store/sqlite/engine.ts";
import type { StatementName } from "../../src/store/statements.ts";
import { toStore } from "../../src/store/store.ts";
import { tableNames, toSqlName } from "../../src/store/tables.ts";
import { type Engine, toPath } from "./engines.ts";

export interface Plan extends Found {
	readonly name: StatementName;
	readonly text: string;
}

interface Found {
	/** Tables of which it reads all rows. */
	readonly scans: readonly string[];
	/** As PostgreSQL estimates it. */
	readonly cost: number;
}

/** A store that adds the plan of each of its statements to the list, when there is one. */
export async function openPlanned(
	engine: Engine,
	url: string,
	toList: () => Plan[] | undefined,
) {
	const isSqlite = engine === "sqlite";
	const inner = isSqlite
		? openSqlite(toPath(url), "create", true)
		: await openPostgres(url, "create");
	const explain = isSqlite ? toExplainSqlite(url) : explainPostgres;

	function* plan<Result>(work: Work<Result>): Work<Result> {
		let step = work.next([]);
		while (!step.done) {
			const plans = toList();
			for (const { name, text, values } of plans
				? toStatements(step.value)
				: [])
				plans?.push({
					name,
					text,
					// Its inserts are written in another way, and look for nothing.
					...(isSqlite && ("inserts" in step.value || "moves" in step.value)
						? { scans: [], cost: 0 }
						: yield* explain(text, values)),
				});
			step = work.next(yield step.value);
		}
		return step.value;
	}

	const { toReadOne } = inner;
	const planned: StoreEngine = {
		...inner,
		read: (work, known) => inner.read(() => plan(work()), known),
		write: (work, since) => inner.write(() => plan(work()), since),
		writeLong: (work) => inner.writeLong(() => plan(work())),
		async openSnapshot() {
			const snapshot = await inner.openSnapshot();
			return {
				...snapshot,
				read: (work) => snapshot.read(() => plan(work())),
			};
		},
		...(toReadOne && {
			toReadOne<Row>(name: StatementName, text: string) {
				const readOne = toReadOne<Row>(name, text);
				return async (value) => {
					await planned.read(() => all(name, text, [value]));
					return readOne(value);
				};
			},
		}),
	};
	return toStore(planned, true);
}

function toStatements(step: Step): readonly Statement[] {
	if ("asks" in step) return step.asks;
	if ("runs" in step) return [step.runs];
	if ("inserts" in step) return postgres.toInserts(step.inserts);
	const { from = null, last = null, base = null } = step.moves;
	return [postgres.toMove([from, last, base])];
}

/** Beside the service: a plan of SQLite does not depend on its connection. */
function toExplainSqlite(url: string) {
	const db = new Database(toPath(url));
	return function* (text: string, values: Statement["values"]): Work<Found> {
		const details = db
			.query<{ detail: string }, Statement["values"][number][]>(
				`EXPLAIN QUERY PLAN ${text.replace(/\$(\d)/g, "?$1")}`,
			)
			.all(...values)
			.map(({ detail }) => detail);
		// It stops at the limit unless it sorts.
		const stops =
			/ LIMIT [?$\d+ ]+$/.test(text) &&
			!details.some((detail) => detail.startsWith("USE TEMP B-TREE"));
		const scans = details.flatMap(
			(detail) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [],
		);
		return { scans: stops ? [] : scans.filter(isTable), cost: 0 };
	};
}

interface Node {
	readonly "Node Type": string;
	readonly "Relation Name"?: string;
	readonly "Index Cond"?: string;
	readonly Filter?: string;
	readonly "Total Cost": number;
	readonly Plans?: readonly Node[];
}

/** A statement that the session has prepared has the plan that the session keeps for it. */
function* explainPostgres(
	text: string,
	values: Statement["values"],
): Work<Found> {
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
		`EXPLAIN (FORMAT JSON) ${prepared ? `EXECUTE ${prepared.name}${list}` : text}`,
		prepared ? [] : values,
	);
	const top = row?.["QUERY PLAN"][0].Plan;
	if (top === undefined) throw new Error(`no plan of ${text}`);
	return { scans: findScans(top, false), cost: top["Total Cost"] };
}

/** `stops`: what is above the node stops when it has enough rows. */
function findScans(node: Node, stops: boolean): readonly string[] {
	const type = node["Node Type"];
	const table = node["Relation Name"] ?? "";
	const isWhole = !node["Index Cond"] && !(stops && !node.Filter);
	const reads = /^(Seq|Index|Index Only) Scan$/.test(type) && isWhole;
	const below = type === "Limit" || (stops && !/Sort|Agg|Hash/.test(type));
	return [
		...(reads && isTable(table) ? [table] : []),
		...(node.Plans ?? []).flatMap((one) => findScans(one, below)),
	];
}

/** Tables that always have one row do not count. */
function isTable(name: string): boolean {
	return (
		tableNames.map(toSqlName).includes(name) &&
		!["counter", "catalogue"].includes(name)
	);
}
