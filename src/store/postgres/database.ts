// A PostgreSQL database as a pool of connections; queries with retries and timeouts.
import {
	Pool,
	type QueryConfig,
	type QueryResult,
	type QueryResultRow,
} from "pg";
import { withTimeout } from "../../domain/async.ts";
import {
	OperatorError,
	StoreFailure,
	storeUnavailable,
} from "../../domain/errors.ts";
import { postgresAnswerMs, queryMs } from "../../limits.ts";
import type { EngineRow, SqlRequests } from "../archive/tables.ts";
import {
	connectFirst,
	setUpConnection,
	toConfig,
	toName,
	withLongConnection,
} from "./connection.ts";
import {
	isConflict,
	isReadOnly,
	isUnanswered,
	notSent,
	toStartProblem,
	toStoreError,
} from "./errors.ts";
import { hasNewestSchema, migrate } from "./schema.ts";

/** Requests that wait at the same time share a query, so few connections are enough. */
const poolSize = 4;

/** How often a query that fails with a deadlock or a serialization failure is tried. */
export const maxAttempts = 5;

/** Something that answers queries: a pool, or one connection. */
export interface Queryable {
	readonly query: <Row extends QueryResultRow>(
		query: Statement & { values?: unknown[] },
	) => Promise<QueryResult<Row>>;
}

export interface Statement {
	/** A session keeps the prepared query under this name. */
	readonly name?: string;
	readonly text: string;
}

export interface Database extends Queryable {
	/** For queries that commit something. They are refused while earlier commits wait for a standby, since each holds a session. */
	readonly writes: Queryable;
	/** Drops all connections; the next query opens another. */
	readonly reconnect: () => void;
	readonly close: () => Promise<void>;
}

export async function openDatabase(
	url: string,
	create: boolean,
): Promise<Database> {
	await orOperatorError(url, async (name) => {
		const client = await connectFirst(url);
		// Like each connection of the pool, it must take writes.
		const isNewest = setUpConnection(client).then(() =>
			hasNewestSchema(client, name),
		);
		if (await isNewest.finally(() => client.end())) return;
		// A step that changes many rows takes minutes.
		await withLongConnection(url, "write", (long) =>
			migrate(long, name, create),
		);
	});
	let pool = openPool(url);

	/** When one connection is lost, the others probably are too, so all of them are replaced. */
	function replace(lost: Pool): void {
		if (pool !== lost) return;
		pool = openPool(url);
		lost.end().catch(() => {});
	}

	const pooled: Queryable = {
		async query(statement) {
			for (let attempt = 1; ; attempt++) {
				const used = pool;
				try {
					return await send(used, statement);
				} catch (error) {
					// A timeout while it waits for a free connection says nothing about the connections.
					if (isUnanswered(error) || isReadOnly(error)) replace(used);
					// Each query is a transaction, so a retry repeats nothing.
					if (!isConflict(error) || attempt === maxAttempts) throw error;
				}
			}
		},
	};
	return {
		...pooled,
		writes: refuseWhileStandbyIsAway(pooled),
		reconnect: () => replace(pool),
		close: () => pool.end(),
	};
}

function openPool(url: string): Pool {
	const pool = new Pool({
		...toConfig(url),
		max: poolSize,
		query_timeout: queryMs,
		onConnect: setUpConnection,
	});
	// The pool drops a connection that breaks while it is idle; the next query opens another.
	pool.on("error", () => {});
	// A connection that breaks while it is used fails its query. Without a listener it would end the process too.
	pool.on("connect", (client) => client.on("error", () => {}));
	return pool;
}

/** Unlike the pool's own `query`, it distinguishes a query that was not sent from a lost answer. */
async function send<Row extends QueryResultRow>(
	pool: Pool,
	statement: QueryConfig,
): Promise<QueryResult<Row>> {
	const client = await pool.connect().catch(notSent);
	try {
		const result = await client.query<Row>(statement);
		client.release();
		return result;
	} catch (error) {
		// After an error the connection is closed, as in the pool's own `query`.
		client.release(true);
		throw error;
	}
}

/** After a write without an answer, it writes again only if no commit waits for a synchronous standby. */
function refuseWhileStandbyIsAway(db: Queryable): Queryable {
	let mayBeAway = false;
	return {
		async query(statement) {
			if (mayBeAway) await requireStandby(db).catch(notSent);
			mayBeAway = false;
			try {
				return await db.query(statement);
			} catch (error) {
				mayBeAway ||= isUnanswered(error);
				throw error;
			}
		},
	};
}

async function requireStandby(db: Queryable): Promise<void> {
	const { rows } = await db.query({
		text: "SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep' LIMIT 1",
	});
	if (rows.length > 0)
		throw new Error("commits wait for a synchronous standby");
}

export async function query<Row extends QueryResultRow>(
	db: Queryable,
	statement: Statement | string,
	values: unknown[] = [],
): Promise<Row[]> {
	const given = typeof statement === "string" ? { text: statement } : statement;
	try {
		return (await db.query<Row>({ ...given, values })).rows;
	} catch (error) {
		throw toStoreError(error);
	}
}

/** Runs the SQL of both engines. */
export function toSql(db: Queryable): SqlRequests["read"] {
	return (text, values = []) => query<EngineRow>(db, text, [...values]);
}

export function toRequests(db: Database): SqlRequests {
	return { read: withTimeouts(db), write: withTimeouts(db.writes) };
}

/** The same, with a timeout for each statement. */
export function withTimeouts(db: Queryable): SqlRequests["read"] {
	const sql = toSql(db);
	return (...statement) => withAnswerTimeout(sql(...statement));
}

/** Statements that each session prepares once: parsing and planning them takes PostgreSQL longer than running them. */
export function toStatements<Name extends string>(
	texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>>;
export function toStatements(texts: Readonly<Record<string, string>>) {
	return Object.fromEntries(
		Object.entries(texts).map(([name, text]) => [name, { name, text }]),
	);
}

export function withAnswerTimeout<Result>(
	work: Promise<Result>,
	ms = postgresAnswerMs,
): Promise<Result> {
	return withTimeout(ms, work, storeUnavailable);
}

/** `open` gets the name of the database for its error messages. */
export async function orOperatorError<Result>(
	url: string,
	open: (name: string) => Promise<Result>,
): Promise<Result> {
	const name = toName(url);
	try {
		return await open(name);
	} catch (error) {
		const cause = error instanceof StoreFailure ? error.cause : error;
		if (cause instanceof OperatorError || !(cause instanceof Error))
			throw error;
		throw new OperatorError(
			`${name} cannot be used: ${toStartProblem(cause)}.`,
		);
	}
}
