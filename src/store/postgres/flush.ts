// Makes commits durable: on the disk of the server, and on its synchronous standbys. A transaction of ours commits without waiting for
// that, so that the next one gets the lock of writers. A flush follows it, which PostgreSQL joins with those of other sessions. Until then
// nobody may learn of the commit: neither who asked for it, nor who reads.
import type { ClientBase, ClientConfig } from "pg";
import { type Awaitable, withTimeout } from "../../domain/async.ts";
import {
	notDurableNow,
	notFlushing,
	StoreFailure,
	storeUnavailable,
	storeWroteNothing,
} from "../../domain/errors.ts";
import { type NumberedState, noState, selectState } from "../database/state.ts";
import { connect, setUp } from "./connection.ts";
import { followCourse } from "./course.ts";

/** While a flush takes longer, perhaps for want of a standby, no transaction begins. */
const slowFlushMs = 1_500;

/** If a flush takes longer, and other copies write, the next ones are together. */
const slowMs = 4;
/** After this time one flush alone tells whether it is still so. */
const togetherMs = 1_000;

const flushes = "pg_logical_emit_message(true, 'petstore', '')";

const isFlushed = "pg_current_wal_flush_lsn() >= lsn";

/** Returns the newest state that it makes durable. The message makes it a transaction that has something to flush. */
const flushAlone = `SELECT state.*, ${flushes} FROM (${selectState}) AS state`;

/**
 * The locks of two turns. Copies take the first one almost at the same time. Who came too late for its flush has the second one, when the
 * others have just been answered. The numbers are arbitrary, the same in all copies of the service.
 */
export const turns = [1885696116, 1885696117];

/**
 * For copies that write at the same time: who has the turn waits for the others, and flushes for all. PostgreSQL ends the turn after the
 * flush. Who is too late for both flushes alone. All that was seen was inserted before `lsn`. Standbys confirm nothing but a flush.
 */
const flushTogether = `SELECT epoch, last, number, folded, CASE
		WHEN has_standby THEN ${flushes}
		${turns.map(toTurn).join("\n")}
		ELSE ${flushes} END
	FROM (
		SELECT *, pg_current_wal_insert_lsn() AS lsn, current_setting('synchronous_standby_names') <> '' AS has_standby
		FROM (${selectState}) AS state OFFSET 0
	) AS seen`;

function toTurn(lock: number, before: number): string {
	const wait = `pg_sleep(CAST($1 AS float8) * ${before + 1} / 1000)`;
	return `WHEN pg_try_advisory_xact_lock(${lock}) THEN
			CASE WHEN ${isFlushed} THEN NULL WHEN ${wait} IS NOT NULL THEN ${flushes} END
		WHEN pg_advisory_xact_lock_shared(${lock}) IS NOT NULL AND ${isFlushed} THEN NULL`;
}

/** How long a copy waits for so many others, in milliseconds. */
const toWaitMs = (others: number) => Math.min(1 + 0.4 * others, 5);

export type Flush = ReturnType<typeof openFlush>;

/** How one copy of the service flushes. */
export function openFlush() {
	/** Transactions of this copy. */
	let own = 0n;
	/** Those of others, at least. */
	let foreign: bigint | undefined;
	/** How many of others come with one of this copy: so many copies write, if they are together. */
	let others = 0;
	let togetherUntil = 0;

	return async (
		client: ClientBase,
		hasCommitted = false,
	): Promise<NumberedState> => {
		if (hasCommitted) own++;
		const begun = performance.now();
		const isTogether = begun < togetherUntil;
		const waitMs = isTogether ? toWaitMs(others) : undefined;
		const state = await sendFlush(client, waitMs);
		const now = performance.now();
		const known = state.number - own;
		const more = Number(known - (foreign ?? known));
		if (foreign === undefined || more > 0) foreign = known;
		if (hasCommitted) others += (Math.max(more, 0) - others) / 8;
		if (more > 0 && !isTogether && now - begun > slowMs)
			togetherUntil = now + togetherMs;
		return state;
	};
}

/** A failure of it says nothing about what was committed before. */
export async function sendFlush(
	client: ClientBase,
	waitMs: number | undefined,
): Promise<NumberedState> {
	try {
		const { rows } = await client.query<NumberedState>(
			waitMs === undefined
				? { name: "flush", text: flushAlone }
				: { name: "flush together", text: flushTogether, values: [waitMs] },
		);
		const warning = warnings.get(client);
		if (warning !== undefined) throw new Error(warning);
		return rows[0] ?? noState;
	} catch (cause) {
		// Not the error of the server, whose code would tell that nothing was done.
		throw storeUnavailable(new FlushError("the flush failed", { cause }));
	}
}

class FlushError extends Error {}

const warnings = new WeakMap<ClientBase, string>();

/** So ends a flush that no longer waits for a standby. */
export function watchWarnings(client: ClientBase): void {
	client.on("notice", ({ code, message = "" }) => {
		if (code !== "00000") warnings.set(client, message);
	});
}

type FlushSession = Awaited<ReturnType<typeof openSession>>;

/** What is known to be durable, for reads. */
export function openDurability(config: ClientConfig, flush: Flush) {
	let session: Promise<FlushSession> | undefined;
	/** The same, if it is open. */
	let opened: FlushSession | undefined;
	let isDoubtful = false;

	/**
	 * Must be asked for before a read begins: a commit that a crash of the server takes back must not count as durable by a flush after the
	 * crash, which ends the session.
	 */
	function current(): Awaitable<FlushSession> {
		if (opened !== undefined && !opened.hasEnded()) return opened;
		if (opened !== undefined) session = undefined;
		opened = undefined;
		session ??= open();
		return withTimeout(slowFlushMs, session, () => notFlushing).catch(
			(cause) => {
				throw storeWroteNothing(cause);
			},
		);
	}

	function open(): Promise<FlushSession> {
		const own = openSession(config, flush);
		own.then(
			(made) => {
				if (session === own) opened = made;
			},
			() => {
				if (session === own) session = undefined;
			},
		);
		return own;
	}

	/** Drops it even while it opens. */
	function drop(): void {
		session?.then(({ close }) => close()).catch(() => {});
		session = undefined;
		opened = undefined;
	}

	return {
		session: current,
		isDoubtful: () => isDoubtful,
		/** Fails after a flush that failed, until another one comes through. */
		async prove(): Promise<void> {
			await (await current()).prove();
			isDoubtful = false;
		},
		/** After a transaction that has failed. A flush that still waits keeps its session on the server, even if nothing was written. */
		doubt(error: unknown): void {
			if (!(error instanceof StoreFailure)) return;
			if (!error.wroteNothing || error.cause instanceof FlushError)
				isDoubtful = true;
		},
		learn: (durable: NumberedState) => opened?.learn(durable),
		/** Another connection has this course. */
		follow(course: string): void {
			if (opened !== undefined && opened.course !== course) drop();
		},
		/** For when other connections to the server were lost: this one is no better. */
		drop,
	};
}

const lost = new Error("the connection that flushes was lost");
/** A connection that only flushes, kept until it is lost. At most one flush of it is under way. */
async function openSession(config: ClientConfig, flush: Flush) {
	const client = await connect(config);
	watchWarnings(client);
	let hasEnded = false;
	client.on("end", () => {
		hasEnded = true;
	});
	let course = "";
	let durable = noState;
	let running: Promise<void> | undefined;
	let begunAt = 0;

	function learn(state: NumberedState): void {
		if (state.number > durable.number) durable = state;
	}

	async function runFlush(): Promise<void> {
		begunAt = performance.now();
		try {
			learn(await flush(client));
		} catch (error) {
			// The next session begins with a flush that comes through.
			close();
			throw error;
		} finally {
			running = undefined;
		}
	}

	async function until(number: bigint): Promise<void> {
		while (number > durable.number) {
			if (hasEnded) throw storeUnavailable(lost);
			// The flush that is under way may have begun before that commit.
			running ??= runFlush();
			await running;
		}
	}

	function isSlow(): boolean {
		return running !== undefined && performance.now() - begunAt > slowFlushMs;
	}

	/** Does not wait for the server, which may not answer. */
	function close(): void {
		hasEnded = true;
		client.end().catch(() => {});
	}

	try {
		course = await withTimeout(slowFlushMs, prepare(client), () => lost);
		await runFlush();
	} catch (error) {
		close();
		throw error;
	}
	return {
		course,
		hasEnded: () => hasEnded,
		durable: () => durable,
		learn,
		isSlow,
		/** Resolves when the commit with this number is durable. Otherwise nobody knows whether it will stay. */
		confirm(number: bigint, ms: number): Promise<void> | undefined {
			// Perhaps the server is another one now.
			if (hasEnded) return Promise.reject(storeUnavailable(lost));
			if (number <= durable.number) return undefined;
			if (isSlow()) return Promise.reject(notDurableNow);
			return withTimeout(ms, until(number), () => notDurableNow);
		},
		/** Resolves after a flush. */
		async prove(): Promise<void> {
			if (isSlow()) throw storeWroteNothing(notFlushing);
			running ??= runFlush();
			await withTimeout(slowFlushMs, running, () => notFlushing).catch(
				(cause) => {
					throw storeWroteNothing(cause);
				},
			);
		},
		close,
	};
}

async function prepare(client: ClientBase): Promise<string> {
	await setUp(client, { isReadOnly: false, statementMs: 0, idleMs: 0 });
	return followCourse(client);
}
