// The SQL of both engines: tables by their names, values as $1. It is written once, and each engine runs it in its own way.
import { type Awaitable, pause } from "../../domain/async.ts";
import { type PetStatus, petStatuses } from "../../domain/pet/pet.ts";
import { newestState } from "./state.ts";
import type { StatementName } from "./statements.ts";
import { type TableName, tableNames, tables, toSqlName } from "./tables.ts";

export type Value = string | number | bigint | null;

export interface Statement {
	readonly name: StatementName;
	readonly text: string;
	readonly values: readonly Value[];
}

/**
 * Statements in their order, and a result. SQLite runs all of it at once, and nothing else in between. PostgreSQL waits only where the work
 * asks for rows: statements before that, and those of one question, travel together. Both give integers as bigints.
 */
export type Work<Result> = Generator<Step, Result, Answers>;

/** Only `asks` waits for rows. The work goes on before other steps are done; if one fails, so does the transaction. */
export type Step =
	| {
			readonly asks: readonly Statement[];
			/** On PostgreSQL the transaction ends with them, in the same round trip. */
			readonly isLast?: true;
	  }
	| { readonly runs: Statement }
	| { readonly inserts: Insertion }
	| { readonly moves: Move }
	| typeof mayPause;

/** Between steps that ask nothing, in loops over any number of values. Only long work lets others in. */
export const mayPause = { pauses: true } as const;

/** Animals between pauses, while rows are made of them: to fold a name of accents takes more than a tenth of a millisecond. */
export const foldedRows = 32;

/** A change of the state, see `counter` in tables.ts. What is not given stays. */
export interface Move {
	/** Another last id fails: another transaction writes at the same time. */
	readonly from?: bigint;
	readonly last?: bigint;
	readonly base?: string;
	/** Added to the numbers of animals. */
	readonly totals?: Readonly<Record<PetStatus, number>>;
	/** By category, see `selectDeltas` in edits/totals.ts. */
	readonly deltas?: string;
	readonly folded?: bigint;
}

export interface Insertion {
	readonly name: TableName;
	readonly rows: readonly Row[];
	readonly onConflict: OnConflict;
}

/** The rows of each statement. */
export type Answers = readonly (readonly never[])[];

/** The statements of one question, one after the other. */
type Ask = (
	statements: readonly Statement[],
	isLast?: boolean,
) => Awaitable<Answers>;

export interface Runner {
	readonly ask: Ask;
	/** May return before the statement is done. */
	readonly run: (statement: Statement) => Awaitable<void>;
	/** That of SQLite if not given. */
	readonly toInserts?: ToInserts;
}

/** Each engine writes them in its own way. */
type ToInserts = (insertion: Insertion) => readonly Statement[];

export function* all<Found>(
	name: StatementName,
	text: string,
	values: readonly Value[] = [],
): Work<readonly Found[]> {
	const [rows = []] = yield { asks: [{ name, text, values }] };
	return rows;
}

export function* first<Found>(
	name: StatementName,
	text: string,
	values?: readonly Value[],
): Work<Found | undefined> {
	const [found] = yield* all<Found>(name, text, values);
	return found;
}

/** A statement whose rows nobody needs. */
export function* run(
	name: StatementName,
	text: string,
	values: readonly Value[] = [],
): Work<void> {
	yield { runs: { name, text, values } };
}

const noAnswers: Answers = [];

/** A batch of adds has fewer. To make and send more rows is long work. */
const shortRows = 128;

/** Without waiting: for SQLite. */
export function runAtOnce<Result>(
	runner: {
		readonly ask: (statements: readonly Statement[]) => Answers;
		readonly run: (statement: Statement) => void;
	},
	work: Work<Result>,
): Result {
	let step = work.next(noAnswers);
	while (!step.done) {
		let answers = noAnswers;
		if ("asks" in step.value) answers = runner.ask(step.value.asks);
		else for (const one of toRuns(step.value)) runner.run(one);
		step = work.next(answers);
	}
	return step.value;
}

export async function runInTurn<Result>(
	runner: Runner,
	work: Work<Result>,
): Promise<Result> {
	let step = work.next(noAnswers);
	while (!step.done) {
		let answers = noAnswers;
		if ("asks" in step.value)
			answers = await runner.ask(step.value.asks, step.value.isLast);
		else if ("pauses" in step.value) await pause();
		else {
			if ("inserts" in step.value && step.value.inserts.rows.length > shortRows)
				await pause();
			for (const one of toRuns(step.value, runner.toInserts)) {
				const running = runner.run(one);
				if (running instanceof Promise) await running;
			}
		}
		step = work.next(answers);
	}
	return step.value;
}

/** Work that the signal cancels, until its commit begins. The reason must be a Failure or an OperatorError. */
export function* untilAborted<Result>(
	signal: AbortSignal,
	work: Work<Result>,
): Work<Result> {
	let step = work.next(noAnswers);
	while (!step.done) {
		const answers = yield step.value;
		signal.throwIfAborted();
		step = work.next(answers);
	}
	return step.value;
}

function toRuns(
	step: Exclude<Step, { asks: unknown }>,
	toInserts: ToInserts = toTupleInserts,
): readonly Statement[] {
	if ("pauses" in step) return [];
	if ("runs" in step) return [step.runs];
	if ("inserts" in step) return toInserts(step.inserts);
	return [toMove(step.moves)];
}

/** A row for the state after the newest one. */
export function toMove(move: Move): Statement {
	const { from = null, last = null, base = null } = move;
	const { deltas = null, folded = null, totals } = move;
	const added = petStatuses.map((status) => totals?.[status] ?? 0);
	const values = [from, last, base, deltas, folded, ...added];
	return { name: "move state", text: insertState, values };
}

const toAdded = (status: PetStatus, place: number) =>
	`${status} + $${place + 6}`;

const insertState = `INSERT INTO counter (number, last, base, course, deltas, folded, ${petStatuses.join(", ")})
	SELECT number + 1, CASE WHEN last = coalesce($1, last) THEN coalesce($2, last) END, coalesce($3, base), course,
		coalesce($4, '{}'), coalesce($5, folded), ${petStatuses.map(toAdded).join(", ")} ${newestState}`;

/** By the names of their columns. A missing value is NULL. */
export type Row = Readonly<Record<string, Value | undefined>>;

/** A row without ids of animals: its integers as numbers, and undefined for NULL. */
export function toPlain<Plain extends object>(row: Row): Plain {
	const plain: Record<string, string | number | undefined> = {};
	for (const [name, value] of Object.entries(row))
		plain[name] =
			typeof value === "bigint" ? Number(value) : (value ?? undefined);
	return plain as Plain;
}

/** Rows that are read or written at once, so that long work needs little memory, and other requests are answered in between. */
export const partRows = 1_000;

export function* inParts<Item>(
	items: readonly Item[],
	rows = partRows,
): Generator<readonly Item[]> {
	for (let done = 0; done < items.length; done += rows)
		yield items.slice(done, done + rows);
}

/** A row with the same key fails, unless it is replaced, or the numbers beside the key are added to it. */
export type OnConflict = "fail" | "replace" | "add";

export function* insertRows(
	name: TableName,
	rows: readonly Row[],
	onConflict: OnConflict = "fail",
): Work<void> {
	if (rows.length > 0) yield { inserts: { name, rows, onConflict } };
}

function toTupleInserts({
	name,
	rows,
	onConflict,
}: Insertion): readonly Statement[] {
	const columns = columnsOf.get(name) ?? [];
	return [...toParts(rows)].map((part) => ({
		name: `insert ${name}`,
		text: toTupleInsert(part.length, name, onConflict),
		values: toValues(part, columns),
	}));
}

const columnsOf = new Map(
	tableNames.map((name) => [name, Object.keys(tables[name].columns)]),
);

function toValues(rows: readonly Row[], columns: readonly string[]): Value[] {
	const values: Value[] = [];
	for (const row of rows)
		for (const column of columns) values.push(row[column] ?? null);
	return values;
}

/** `text` has the tuples in the place of its `#`. PostgreSQL takes values after VALUES for text. */
export function toAmong(
	name: StatementName,
	text: string,
	tuples: readonly (readonly Value[])[],
): readonly Statement[] {
	const statements: Statement[] = [];
	for (let done = 0; done < tuples.length; done += maxAmong) {
		const part = tuples.slice(done, done + maxAmong);
		const size = sizes.findLast((size) => size >= part.length) ?? maxAmong;
		// The last one again, to have one of few sizes.
		const [last = []] = part.slice(-1);
		const padded = [...part, ...Array(size - part.length).fill(last)];
		statements.push({
			name,
			text: toAmongText(text, size, last.length),
			values: padded.flat(),
		});
	}
	return statements;
}

export function* findAmong<Found>(
	...query: Parameters<typeof toAmong>
): Work<readonly Found[]> {
	const asks = toAmong(...query);
	return asks.length === 0 ? [] : (yield { asks }).flat();
}

/** Few sizes, so that few different statements are prepared. */
const maxAmong = 256;
const sizes = [maxAmong, 128, 64, 32, 16, 8, 4, 2, 1];

function* toParts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
	for (let done = 0; done < items.length; ) {
		const size = sizes.find((size) => size <= items.length - done) ?? 1;
		yield items.slice(done, done + size);
		done += size;
	}
}

const toAmongText = memoize((text: string, size: number, width: number) =>
	text.replace("#", () => toTuples(size, width)),
);

const toTupleInsert = memoize(
	(rows: number, name: TableName, onConflict: OnConflict) => {
		const width = Object.keys(tables[name].columns).length;
		return toInsert(name, `VALUES ${toTuples(rows, width)}`, onConflict);
	},
);

/** `source` gives the rows. */
export function toInsert(
	name: TableName,
	source: string,
	onConflict: OnConflict,
): string {
	const { columns, key } = tables[name];
	const names = Object.keys(columns).map(toSqlName);
	const keys = key.map(toSqlName);
	const sets = names
		.filter((column) => !keys.includes(column))
		.map((column) =>
			onConflict === "add"
				? `${column} = ${toSqlName(name)}.${column} + excluded.${column}`
				: `${column} = excluded.${column}`,
		);
	const end =
		onConflict === "fail"
			? ""
			: ` ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${sets.join(", ")}`;
	return `INSERT INTO ${toSqlName(name)} (${names.join(", ")}) ${source}${end}`;
}

/** Makes each text once. The same object is found faster among the prepared statements. */
export function memoize<Values extends readonly (string | number)[]>(
	toText: (...values: Values) => string,
): typeof toText {
	const texts = new Map<string, string>();
	return (...values) => {
		const name = values.join("\n");
		const text = texts.get(name) ?? toText(...values);
		texts.set(name, text);
		return text;
	};
}

/** `($1, $2), ($3, $4)` */
function toTuples(rows: number, width: number): string {
	return Array.from({ length: rows }, (_, row) => {
		const marks = Array.from(
			{ length: width },
			(_, at) => row * width + at + 1,
		);
		return `($${marks.join(", $")})`;
	}).join(", ");
}
