// The state: the last id and position of the feed, and the totals of animals. Each transaction that changes them adds a row to the table
// `counter`. What it changes of the totals by category stands there too, until a fold adds it to the table `counts`: of a row that all
// transactions change, PostgreSQL would keep a version for each while a snapshot is open, and SQLite would write one more page for each.
import { idsExhausted } from "../../domain/errors.ts";
import {
	type GivenPet,
	type PetStatus,
	petStatuses,
} from "../../domain/pet/pet.ts";
import { maxInt64 } from "../../domain/types/json.ts";
import {
	all,
	inParts,
	insertRows,
	type Move,
	mayPause,
	type Row,
	run,
	type Statement,
	toAmong,
	type Work,
} from "../database/sql.ts";
import {
	type NumberedState,
	newestState,
	noState,
	selectState,
} from "../database/state.ts";

/** The newest state, and the rows of other statements: one question. */
export function* askWithState<Found>(
	statements: readonly Statement[] = [],
): Work<NumberedState & { readonly rows: readonly Found[] }> {
	const [found, ...others] = yield {
		asks: [
			{ name: "read state", text: selectState, values: [] },
			...statements,
		],
	};
	const state: NumberedState = found?.[0] ?? noState;
	return { ...state, rows: others.flat() };
}

/** Fails if the state is not what it was, because another transaction writes at the same time. */
export function* moveState(
	from: bigint,
	to: bigint,
	/** What the transaction changes of the numbers, if nothing else is going to write them. */
	petTotals?: PetTotals,
): Work<void> {
	if (to > maxInt64) throw idsExhausted;
	const added = petTotals && (yield* petTotals.take());
	if (from !== to || added) yield { moves: { from, last: to, ...added } };
}

export type PetTotals = ReturnType<typeof createPetTotals>;

/** How many changes of numbers a row of the counter has. More are added to `counts` at once. */
const maxDeltas = 32;

/** What a transaction adds to the numbers of animals. */
export function createPetTotals() {
	const sums = new Map<PetStatus, Map<bigint, number>>();

	function toRows(): readonly CategoryTotal[] {
		const rows: CategoryTotal[] = [];
		for (const [status, ofStatus] of sums)
			for (const [categoryId, pets] of ofStatus)
				if (pets !== 0) rows.push({ categoryId, status, pets });
		return rows;
	}

	/** For the row of the counter. Undefined if there is nothing to write. */
	function* take(): Work<Pick<Move, "totals" | "deltas"> | undefined> {
		const rows = toRows();
		if (rows.length === 0) return undefined;
		const totals = toTotals(rows);
		if (rows.length <= maxDeltas) return { totals, deltas: toDeltas(rows) };
		yield* addToTotals(rows);
		return { totals };
	}

	return {
		add({ categoryId, status }: Kind, pets: number): void {
			const ofStatus = sums.get(status) ?? new Map<bigint, number>();
			sums.set(status, ofStatus);
			ofStatus.set(categoryId, (ofStatus.get(categoryId) ?? 0) + pets);
		},
		take,
		*write(): Work<void> {
			const added = yield* take();
			if (added) yield { moves: added };
		},
		/** Only adds them to `counts`. */
		fold: () => addToTotals(toRows()),
	};
}

type Kind = Pick<GivenPet, "categoryId" | "status">;

type CategoryTotal = Kind & { readonly pets: number };

/** Numbers of animals by status. */
export type Totals = Readonly<Record<PetStatus, number>>;

/** Of rows of `counts`. */
function toTotals(rows: Iterable<Row>): Totals {
	const totals = { available: 0, pending: 0, sold: 0 };
	for (const { status, pets } of rows)
		for (const one of petStatuses)
			if (one === status) totals[one] += Number(pets);
	return totals;
}

/** The number of animals with any status. */
export function sumOf({ available, pending, sold }: Totals): number {
	return available + pending + sold;
}

/** Before the id of its category, the place of the status. */
function toDeltas(rows: readonly CategoryTotal[]): string {
	const entries = rows.map(({ categoryId, status, pets }) => [
		`${petStatuses.indexOf(status)}${categoryId}`,
		pets,
	]);
	return JSON.stringify(Object.fromEntries(entries));
}

/** SQL for the place of a status. */
export const placeOfStatus = `CASE status ${petStatuses.map((status, place) => `WHEN '${status}' THEN ${place}`).join(" ")} END`;

const statusOfPlace = `CASE substr(key, 1, 1) ${petStatuses.map((status, place) => `WHEN '${place}' THEN '${status}'`).join(" ")} END`;

/** Changes of numbers that are in no fold yet. Both ends are given, so that PostgreSQL expects few rows and reads them by the index. */
export const selectDeltas = `SELECT number, CAST(substr(key, 2) AS int8) AS category_id, ${statusOfPlace} AS status,
	CAST(value AS int8) AS pets FROM counter, json_each_text(CAST(deltas AS json))
	WHERE number > (SELECT folded ${newestState}) AND number <= (SELECT number ${newestState})`;

function* addToTotals(rows: readonly CategoryTotal[]): Work<void> {
	for (const part of inParts(rows)) {
		yield mayPause;
		yield* insertRows("counts", part, "add");
		const ids = new Set(part.map(({ categoryId }) => categoryId));
		for (const runs of toAmong(
			"delete empty counts",
			"DELETE FROM counts WHERE pets = 0 AND category_id IN (#)",
			[...ids].map((id) => [id]),
		))
			yield { runs };
	}
}

/** So many changes of numbers in one fold, so that it is short. A row of the counter has fewer. */
const maxFolded = 4_096;

/** Adds to `counts` what is in no fold yet. */
export function* fold(): Work<void> {
	for (let isDone = false; !isDone; ) isDone = yield* foldPart();
}

/** The same if so many transactions, or more, are in no fold, for as much as is done in a short time. */
export function* foldAfter(transactions: bigint): Work<void> {
	const { number, folded } = yield* askWithState();
	if (number - folded >= transactions) yield* foldPart();
}

interface Delta {
	/** Of the transaction. */
	readonly number: bigint;
	readonly category_id: bigint;
	readonly status: PetStatus;
	readonly pets: bigint;
}

function toPetTotals(deltas: readonly Delta[]): PetTotals {
	const petTotals = createPetTotals();
	for (const { category_id: categoryId, status, pets } of deltas)
		petTotals.add({ categoryId, status }, Number(pets));
	return petTotals;
}

function* foldPart(): Work<boolean> {
	const text = `${selectDeltas} ORDER BY number LIMIT ${maxFolded}`;
	const { number, folded, rows } = yield* askWithState<Delta>([
		{ name: "read deltas", text, values: [] },
	]);
	const isDone = rows.length < maxFolded;
	// The last row of the counter may have more.
	const to = isDone ? number : (rows.at(-1)?.number ?? 0n) - 1n;
	yield* toPetTotals(rows.filter(({ number }) => number <= to)).fold();
	yield { moves: { folded: to } };
	yield* run(
		"delete folded states",
		"DELETE FROM counter WHERE number > $1 AND number <= $2",
		[folded, to],
	);
	return isDone;
}

/** What is in no fold yet, for another database. */
export function* readDeltas(): Work<PetTotals> {
	return toPetTotals(yield* all<Delta>("read deltas", selectDeltas));
}

/** Before all rows of `counts` are deleted. Returns what the numbers were. */
export function* clearTotals(): Work<Totals> {
	yield* fold();
	const totals = yield* readTotals();
	const { available, pending, sold } = totals;
	const none = { available: -available, pending: -pending, sold: -sold };
	yield { moves: { totals: none } };
	return totals;
}

/** Puts rows of `counts` from another database into the table. An earlier version left some at 0. */
export function* insertTotals(rows: readonly Row[]): Work<void> {
	yield* insertRows(
		"counts",
		rows.filter(({ pets }) => pets !== 0n),
	);
	yield { moves: { totals: toTotals(rows) } };
}

/** Of all animals, or of a category. */
export function* readTotals(categoryId?: bigint): Work<Totals> {
	const rows =
		categoryId === undefined
			? yield* all<Row>("read totals", ofAll)
			: yield* all<Row>("count category", ofCategory, [categoryId]);
	return toTotals(rows);
}

const ofAll = petStatuses
	.map(
		(status) =>
			`SELECT '${status}' AS status, ${status} AS pets FROM (SELECT ${status} ${newestState}) AS state`,
	)
	.join(" UNION ALL ");

const ofCategory = `SELECT status, pets FROM counts WHERE category_id = $1
	UNION ALL SELECT status, pets FROM (${selectDeltas}) AS deltas WHERE category_id = $1`;
