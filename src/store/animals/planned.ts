// Writes that look at many animals first. They are planned on one moment of the database, without the lock of writers. With the lock they
// look again only at the animals that others have changed since.
import { deserialize, serialize } from "bun:jsc";
import { createTurns, nextTurn } from "../../domain/async.ts";
import {
	overloaded,
	StoreFailure,
	storeWroteNothing,
} from "../../domain/errors.ts";
import type { PetFilter } from "../../domain/pet/filter.ts";
import { petNames, type StoredPet } from "../../domain/pet/pet.ts";
import { toRecord } from "../../domain/types/field.ts";
import { maxInt64 } from "../../domain/types/json.ts";
import { collecting, collectSoon } from "../../program.ts";
import type { Engine, ReadMoment } from "../database/engine.ts";
import {
	partRows,
	untilAborted,
	type Value,
	type Work,
} from "../database/sql.ts";
import { isWithin, type State } from "../database/state.ts";
import { type FoundEntry, toPage } from "../edits/feed.ts";
import { askWithState } from "../edits/totals.ts";
import { toFits } from "./search.ts";

/** A plan that needs no write has its result. */
export type Plan<Result> = Done<Result> | Planned<Result>;

interface Done<Result> {
	readonly result: Result;
}

interface Planned<Result> {
	/** Animals that do not match count as missing. */
	readonly filter?: PetFilter;
	/** Called for each animal that others have added, changed or removed since. */
	readonly follow: (id: bigint, pet: StoredPet | undefined) => void;
	/** With the lock. Undefined, and nothing written, if all must be planned again. */
	readonly write: () => Work<Done<Result> | undefined>;
}

/** A part of what a plan keeps: the objects of 100,000 animals would fill the memory, and collecting garbage beside them takes long. */
export function pack(items: readonly object[]): Buffer {
	return serialize(items, { binaryType: "nodebuffer" });
}

export function unpack<Item>(part: Buffer): readonly Item[] {
	return deserialize(part);
}

/** Whether a plan knows all changes of others, not yet all, or must be made again, because the content of the database was replaced. */
type Followed = "current" | "behind" | "outdated";

/** Of a process, since each may keep many animals in memory. */
const maxWrites = 16;

/** Parts of changes of others that are read with the lock. */
const maxParts = 10;

export type WritePlanned = ReturnType<typeof openPlannedWrites>;

export function openPlannedWrites(engine: Engine, readMoment: ReadMoment) {
	const { read, writeLong } = engine;
	// One plan at a time: together, they would let other requests wait.
	const takeTurn = createTurns();
	let writes = 0;

	/** Undefined if it must be planned again. */
	async function tryWrite<Result>(
		toPlan: () => Work<Plan<Result>>,
		signal: AbortSignal,
	): Promise<Done<Result> | undefined> {
		const { state, plan } = await takeTurn(() =>
			readMoment(() => untilAborted(signal, counting(planNow(toPlan())))),
		).catch(throwUnwritten);
		if ("result" in plan) return plan;
		const follow = toFollow(engine, state, plan);
		const finish = () => untilAborted(signal, counting(writeNow(follow, plan)));
		for (let followed: Followed = "behind"; followed !== "outdated"; ) {
			signal.throwIfAborted();
			await nextTurn();
			if (followed === "behind")
				followed = await Promise.try(read, follow).catch(throwUnwritten);
			else {
				const done = await writeLong(finish);
				if (typeof done === "object") return done;
				followed = done;
			}
		}
		return undefined;
	}

	return async <Result>(
		toPlan: () => Work<Plan<Result>>,
		/** Cancels it, until the commit begins. */
		signal: AbortSignal,
	): Promise<Result> => {
		if (writes >= maxWrites) throw overloaded;
		writes++;
		try {
			for (;;) {
				const done = await collecting(() => tryWrite(toPlan, signal));
				if (done) return done.result;
			}
		} finally {
			writes--;
		}
	};
}

/** Rows that are read or written until their garbage is collected: it has some ten megabytes. */
const maxUncollectedRows = 50_000;

function* counting<Result>(work: Work<Result>): Work<Result> {
	let rows = 0;
	for (let step = work.next([]); ; ) {
		if (step.done) return step.value;
		const answers = yield step.value;
		for (const answer of answers) rows += answer.length;
		if ("pauses" in step.value) rows++;
		if ("inserts" in step.value) rows += step.value.inserts.rows.length;
		if (rows > maxUncollectedRows) {
			rows = 0;
			collectSoon();
		}
		step = work.next(answers);
	}
}

function throwUnwritten(error: unknown): never {
	throw error instanceof StoreFailure ? storeWroteNothing(error.cause) : error;
}

function* planNow<Result>(work: Work<Plan<Result>>) {
	const { epoch, last } = yield* askWithState();
	const state: State = { epoch, last };
	return { state, plan: yield* work };
}

/** Returns the work that lets a plan follow the next changes of others. */
function toFollow(
	engine: Engine,
	planned: State,
	{ filter = {}, follow }: Planned<unknown>,
): () => Work<Followed> {
	let state = planned;
	return function* () {
		const values: Value[] = [state.last, maxInt64, partRows];
		const text = toPage(`(${toFits(engine, filter, values)}) AS fits`);
		const { epoch, last, rows } = yield* askWithState<FollowedEntry>([
			{ name: "read what changed", text, values },
		]);
		if (!isWithin(state, { epoch, last })) return "outdated";
		for (const { petId, fits, ...row } of rows)
			follow(petId, fits ? toPet(row) : undefined);
		const isBehind = rows.length === partRows;
		const newest = rows.at(-1)?.position ?? last;
		// PostgreSQL may have found rows of a later state.
		state = { epoch, last: isBehind || newest > last ? newest : last };
		return isBehind ? "behind" : "current";
	};
}

interface FollowedEntry extends FoundEntry {
	/** Whether the animal exists and matches. */
	readonly fits: unknown;
}

function toPet(row: Partial<StoredPet>): StoredPet {
	return toRecord<StoredPet>(petNames, (name) => row[name]);
}

/** With the lock. If too much has changed, the lock is given up. */
function* writeNow<Result>(
	follow: () => Work<Followed>,
	{ write }: Planned<Result>,
): Work<Done<Result> | Followed> {
	let followed = yield* follow();
	for (let part = 1; followed === "behind" && part < maxParts; part++)
		followed = yield* follow();
	if (followed !== "current") return followed;
	return (yield* write()) ?? "outdated";
}
