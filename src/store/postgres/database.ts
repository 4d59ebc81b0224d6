// A PostgreSQL database as a pool of connections; queries with retries and timeouts.
import {
	Pool,
	type QueryConfig,
	type QueryResult,
	type QueryResultRow,
} from "pg";
import { withTimeout } from "../../async/waiting.ts";
import { OperatorError, storeUnavailable } from "../../domain/errors.ts";
import { keyLookupMs, postgresAnswerMs, queryMs } from "../../limits.ts";
import type { EngineRow, SqlRequests } from "../archive/tables.ts";
import type { Migration, OnMigration } from "../store.ts";
import { setUpConnection, toConfig, toName } from "./connections/connection.ts";
import { connectToOwnSession } from "./connections/own-session.ts";
import {
	isConflict,
	isReadOnly,
	isUnanswered,
	notSent,
	toFailure,
	toStartProblem,
} from "./errors.ts";
import { migrate } from "./schema.ts";

/** Other copies of the service may be migrating. */
export const migrationMs = 30_000;
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
	options: { create: boolean; poolSize: number; onMigration?: OnMigration },
): Promise<Database> {
	const { create, poolSize, onMigration } = options;
	const migration = await prepareDatabase(url, create);
	if (migration !== undefined) onMigration?.(migration);
	let pool = openPool(url, poolSize);

	/** When one connection is lost, the others probably are too, so all of them are replaced. */
	function replace(lost: Pool): void {
		if (pool !== lost) return;
		pool = openPool(url, poolSize);
		lost.end().catch(() => {});
	}

	const pooled = retryConflicts({
		async query(statement) {
			const used = pool;
			try {
				return await send(used, statement);
			} catch (error) {
				// A query that only found no free connection in time shows nothing about the others.
				if (isUnanswered(error) || isReadOnly(error)) replace(used);
				throw error;
			}
		},
	});
	return {
		...pooled,
		writes: refuseWhileStandbyIsAway(pooled),
		reconnect: () => replace(pool),
		close: () => pool.end(),
	};
}

function openPool(url: string, size: number): Pool {
	const pool = new Pool({
		...toConfig(url),
		max: size,
		query_timeout: queryMs,
		onConnect: setUpConnection,
	});
	// The pool drops a connection that breaks while it is idle; the next query opens another.
	pool.on("error", () => {});
	// One that breaks while it is used fails its query; without this it would also end the process.
	pool.on("connect", (client) => client.on("error", () => {}));
	return pool;
}

/** Unlike the pool's own `query`, it tells a query that was not sent from one whose answer was lost. */
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

/** For queries that are a transaction each. In a longer one, what was done before would be lost. */
function retryConflicts(db: Queryable): Queryable {
	return {
		async query(statement) {
			for (let attempt = 1; ; attempt++) {
				try {
					return await db.query(statement);
				} catch (error) {
					if (!isConflict(error) || attempt === maxAttempts) throw error;
				}
			}
		},
	};
}

/** After a write that was not answered in time, looks whether commits wait for a synchronous standby before it writes again. */
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
		throw toFailure(error);
	}
}

/** Runs the SQL of both engines. */
export function toSql(db: Queryable): SqlRequests["read"] {
	return (text, values = []) => query<EngineRow>(db, text, [...values]);
}

export function toRequests(db: Database): SqlRequests {
	const [read, write] = [toSql(db), toSql(db.writes)];
	return {
		read: (...statement) => withAnswerTimeout(read(...statement)),
		write: (...statement) => withAnswerTimeout(write(...statement)),
	};
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
): Promise<Result> {
	return withTimeout(postgresAnswerMs, work, storeUnavailable);
}

export function withLookupTimeout<Result>(
	work: Promise<Result>,
): Promise<Result> {
	return withTimeout(keyLookupMs, work, storeUnavailable);
}

async function prepareDatabase(
	url: string,
	create: boolean,
): Promise<Migration | undefined> {
	return orOperatorError(url, async (name) => {
		const client = await connectToOwnSession(url, {
			query_timeout: migrationMs,
		});
		await client.query(`SET statement_timeout = ${migrationMs}`);
		return migrate(client, name, create).finally(() => client.end());
	});
}

/** `open` gets the name of the database for its sentences. */
export async function orOperatorError<Result>(
	url: string,
	open: (name: string) => Promise<Result>,
): Promise<Result> {
	const name = toName(url);
	try {
		return await open(name);
	} catch (error) {
		if (error instanceof OperatorError || !(error instanceof Error))
			throw error;
		throw new OperatorError(
			`${name} cannot be used: ${toStartProblem(error)}.`,
		);
	}
}
