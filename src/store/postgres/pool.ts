// The connections that requests share, and transactions whose statements travel together.
import {
	type ClientBase,
	type ClientConfig,
	type Connection,
	Pool,
	type PoolClient,
} from "pg";
import { withTimeout } from "../../domain/async.ts";
import {
	Failure,
	notFlushing,
	OperatorError,
	StoreFailure,
	storeUnavailable,
} from "../../domain/errors.ts";
import { postgresAnswerMs } from "../../limits.ts";
import { type Runner, runInTurn, toMove, type Work } from "../database/sql.ts";
import { type NumberedState, selectNumber } from "../database/state.ts";
import { setUp, writerLock } from "./connection.ts";
import { isConnectionLost, isRefusal, orFailure } from "./errors.ts";
import { type Flush, watchWarnings } from "./flush.ts";
import { toArrayInserts } from "./inserts.ts";

/** If a query has no result by then, its connection counts as lost. */
const queryMs = 1_700;

/** PostgreSQL cancels a statement after this time. A cancelled statement has certainly written nothing. */
const statementMs = 1_500;

/** Requests that wait at the same time share a query, so few connections are enough. */
const poolSize = 4;
/**
 * How long a transaction may wait for this process. It is shorter than `statementMs`, so that the writers behind a process that has stopped
 * wait, and do not fail.
 */
const idleMs = 1_000;

/** Calls `mayCommit` before its commit is sent. A failure before that has written nothing. */
type Use<Result> = (
	client: ClientBase,
	mayCommit: () => void,
) => Promise<Result>;

interface PoolOptions {
	readonly isReadOnly: boolean;
	/** Called when the connections to the server were lost. */
	readonly onLost: () => void;
	/** Called for each connection that is opened. */
	readonly onConnect: (client: ClientBase) => Promise<void>;
}

export function openPool(config: ClientConfig, options: PoolOptions) {
	let pool = connectPool(config, options);

	/** When one connection is lost, the others probably are too. */
	function replaceIfLost(used: Pool, error: unknown): void {
		if (pool !== used || !isConnectionLost(error)) return;
		pool = connectPool(config, options);
		used.end().catch(() => {});
		options.onLost();
	}

	return {
		use: <Result>(use: Use<Result>): Promise<Result> =>
			orFailure(async (mayCommit) => {
				const used = pool;
				let client: PoolClient | undefined;
				try {
					client = await used.connect();
					const result = await withTimeout(
						postgresAnswerMs,
						use(client, mayCommit),
						storeUnavailable,
					);
					client.release();
					return result;
				} catch (error) {
					// Closed, unless the state of its session is known.
					client?.release(!isRefusal(error));
					replaceIfLost(used, error);
					throw error;
				}
			}),
		close: () => pool.end(),
	};
}

function connectPool(
	config: ClientConfig,
	{ isReadOnly, onConnect }: PoolOptions,
): Pool {
	const pool = new Pool({
		...config,
		max: poolSize,
		query_timeout: queryMs,
		async onConnect(client) {
			await setUp(client, { isReadOnly, statementMs, idleMs });
			await onConnect(client);
		},
	});
	// The pool drops a connection that breaks while it is idle; the next query opens another.
	pool.on("error", () => {});
	// A connection that breaks while it is used fails its query. Without a listener it would end the process too.
	pool.on("connect", (client) => {
		client.on("error", () => {});
		watchWarnings(client);
	});
	return pool;
}

/** What is sent in one turn is one call of the system, which takes longer than all else that is done for a statement. */
function holdWrites(client: ClientBase): void {
	const { stream } = (client as ClientBase & { connection: Connection })
		.connection;
	if (stream.writableCorked > 0) return;
	stream.cork();
	process.nextTick(() => stream.uncork());
}

const names = new Map<string, string>();

/**
 * How long a session keeps its plans. PostgreSQL makes a plan for tables as they are then, and keeps it until they are analysed: the scan
 * of a small table stays when it has grown.
 */
const planMs = 1_000;
/** When the plans of each session end. */
const planEnds = new WeakMap<ClientBase, number>();

function forgetOldPlans(client: ClientBase): void {
	const now = performance.now();
	const end = planEnds.get(client) ?? 0;
	if (now < end) return;
	planEnds.set(client, now + planMs);
	// If it fails, the statement behind it fails too.
	if (end > 0) client.query("DISCARD PLANS").catch(() => {});
}

/** Parsing and planning take PostgreSQL longer than running, so each session prepares a statement once, under a name. */
async function query(
	client: ClientBase,
	text: string,
	values?: readonly unknown[],
): Promise<readonly never[]> {
	holdWrites(client);
	if (values === undefined) return (await client.query<never>(text)).rows;
	forgetOldPlans(client);
	let name = names.get(text);
	if (name === undefined) {
		name = `s${names.size}`;
		names.set(text, name);
	}
	const { rows } = await client.query<never>({
		name,
		text,
		values: values as unknown[],
	});
	return rows;
}

interface Numbered {
	readonly number: bigint;
}

/** For work that only reads. `onNumber` gets the number of a transaction that is not older than any that the work has seen. */
export function toReader(
	client: ClientBase,
	onNumber?: (number: bigint) => void,
): Runner {
	const ask: Runner["ask"] = async (statements) => {
		const answers = statements.map(({ text, values }) =>
			query(client, text, values),
		);
		if (onNumber === undefined) return Promise.all(answers);
		const newest: Promise<readonly Numbered[]> = query(
			client,
			selectNumber,
			[],
		);
		const [found, ...rows] = await Promise.all([newest, ...answers]);
		onNumber(toNumber(found));
		return rows;
	};
	return { ask, run: async (statement) => void (await ask([statement])) };
}

export function toNumber([row]: readonly Numbered[]): bigint {
	if (row === undefined) throw new OperatorError("The counter has no row.");
	return row.number;
}

/** How a transaction has ended, and a state that is durable, with everything that it has written and seen. */
export type Ended<Result> = { readonly durable: NumberedState } & (
	| { readonly result: Result }
	| { readonly refusal: Failure }
);

/** The commit does not wait for the disk, and so frees the lock earlier. */
const begin = `BEGIN; SET LOCAL synchronous_commit = off; SELECT ${writerLock}`;

/** How long the flush of an import may take. Requests wait for less. */
const longFlushMs = 10_000;

/** Statements that are sent before the first of them is answered. */
const maxUnanswered = 32;

/**
 * The beginning goes with the first question, and the commit and the flush with the last statements: usually two round trips in all.
 * Between commit and flush others see what is not durable yet.
 */
export async function transact<Result>(
	client: ClientBase,
	mayCommit: () => void,
	work: Work<Result>,
	flush: Flush,
): Promise<Ended<Result>> {
	const flushInTime = (hasCommitted: boolean) =>
		withTimeout(longFlushMs, flush(client, hasCommitted), () =>
			storeUnavailable(notFlushing),
		);
	const sent: Promise<unknown>[] = [];
	const settle = async () => void (await Promise.all(sent.splice(0)));
	const send = (text: string, values?: readonly unknown[]) => {
		const answer = query(client, text, values);
		answer.catch(() => {});
		sent.push(answer);
	};
	let hasMoved = false;
	let flushing: Promise<NumberedState> | undefined;
	let hasSentCommit = false;
	const commit = () => {
		hasSentCommit = true;
		mayCommit();
		if (!hasMoved) {
			const { text, values } = toMove({});
			send(text, values);
		}
		// After a failed statement PostgreSQL rolls back here, without another error.
		send("COMMIT");
		flushing = flushInTime(true);
		flushing.catch(() => {});
	};
	send(begin);
	const { ask } = toReader(client);
	const runner: Runner = {
		ask(statements, isLast) {
			const answers = ask(statements);
			if (isLast) {
				// It moves the state itself.
				hasMoved = true;
				commit();
			}
			return answers;
		},
		toInserts: toArrayInserts,
		run(statement) {
			hasMoved ||= statement.name === "move state";
			send(statement.text, statement.values);
			return sent.length < maxUnanswered ? undefined : settle();
		},
	};
	try {
		const result = await runInTurn(runner, work);
		if (!hasSentCommit) commit();
		await settle();
		return { result, durable: await (flushing ?? flushInTime(false)) };
	} catch (error) {
		// The first failure is the reason of the others.
		const reason = await settle().then(
			() => error,
			(first) => first,
		);
		// The pool drops a connection on which even this fails.
		if (!hasSentCommit) await query(client, "ROLLBACK").catch(() => {});
		if (reason instanceof StoreFailure || !(reason instanceof Failure))
			throw reason;
		// It has seen what others have committed.
		return { refusal: reason, durable: await flushInTime(false) };
	}
}
