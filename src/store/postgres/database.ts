// A PostgreSQL URL to a pool of connections; deadlines; what errors mean.
import {
	Client,
	type ClientBase,
	type ClientConfig,
	DatabaseError,
	Pool,
	type QueryResult,
	type QueryResultRow,
} from "pg";
import { within } from "../../async/timeout.ts";
import { OperatorError, storeUnavailable } from "../../contract/errors.ts";
import { bringUpToDate } from "./schema.ts";

/** Nobody waits longer for one answer. With the key's lookup before it, that stays below the promised three seconds. */
const answerDeadlineMs = 1_900;
const keyDeadlineMs = 1_000;
/** After this a connection counts as lost. The server gives up first where it can: what it refused was surely not done. */
const queryDeadlineMs = 1_700;
const statementDeadlineMs = 1_500;
const connectDeadlineMs = 1_500;
const migrationDeadlineMs = 30_000;
/** How often a query is tried that PostgreSQL itself asks to repeat. */
const maxAttempts = 5;

/** Something that answers queries: a pool, or one connection. */
export interface Queryable {
	readonly query: <Row extends QueryResultRow>(
		query: Statement & { values?: unknown[] },
	) => Promise<QueryResult<Row>>;
}

export interface Statement {
	/** Under it a session keeps the query prepared. To parse and plan it anew would take half the time of an add. */
	readonly name?: string;
	readonly text: string;
}

export interface Database extends Queryable {
	/** The same for what commits something. It refuses while commits wait for a standby: each of them keeps a session of the server. */
	readonly writes: Queryable;
	/** Lets go of all connections: the next query opens another. */
	readonly reconnect: () => void;
	readonly close: () => Promise<void>;
}

export async function openDatabase(
	url: string,
	create: boolean,
	poolSize: number,
): Promise<Database> {
	await prepareDatabase(url, create);
	let pool = openPool(url, poolSize);

	/** When one connection turns out to be lost, its siblings are too: they are not tried one after the other. */
	function replace(lost: Pool): void {
		if (pool !== lost) return;
		pool = openPool(url, poolSize);
		lost.end().catch(() => {});
	}

	const reads: Queryable = {
		async query(asked) {
			const used = pool;
			try {
				return await used.query(asked);
			} catch (error) {
				// Not when all of them were only busy.
				if (isLost(error) || isReadOnly(error)) replace(used);
				throw error;
			}
		},
	};
	return {
		...reads,
		writes: refuseWhileStuck(reads),
		reconnect: () => replace(pool),
		close: () => pool.end(),
	};
}

function refuseWhileStuck(db: Queryable): Queryable {
	let mayBeStuck = false;
	return {
		async query(asked) {
			if (mayBeStuck) await requireNoneStuck(db);
			mayBeStuck = false;
			try {
				return await db.query(asked);
			} catch (error) {
				mayBeStuck ||= isLost(error);
				throw error;
			}
		},
	};
}

async function requireNoneStuck(db: Queryable): Promise<void> {
	const { rows } = await db.query({
		text: "SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep' LIMIT 1",
	});
	if (rows.length > 0)
		throw new Error("commits wait for a synchronous standby");
}

function openPool(url: string, size: number): Pool {
	const pool = new Pool({
		...toConfig(url),
		max: size,
		query_timeout: queryDeadlineMs,
		onConnect: setUpSession,
	});
	// A connection that breaks while it is idle is dropped by the pool; the next query opens another.
	pool.on("error", () => {});
	return pool;
}

export async function query<Row extends QueryResultRow>(
	db: Queryable,
	statement: Statement | string,
	values: unknown[] = [],
): Promise<Row[]> {
	const asked = {
		...(typeof statement === "string" ? { text: statement } : statement),
		values,
	};
	for (let attempt = 1; ; attempt++) {
		try {
			return (await db.query<Row>(asked)).rows;
		} catch (error) {
			if (!isConflict(error) || attempt === maxAttempts) throw toFailure(error);
		}
	}
}

/** Each under its own name. */
export function toStatements<Name extends string>(
	texts: Readonly<Record<Name, string>>,
): Readonly<Record<Name, Statement>>;
export function toStatements(texts: Readonly<Record<string, string>>) {
	return Object.fromEntries(
		Object.entries(texts).map(([name, text]) => [name, { name, text }]),
	);
}

export function inTime<Result>(answer: Promise<Result>): Promise<Result> {
	return within(answerDeadlineMs, answer, storeUnavailable);
}

export function inKeyTime<Result>(answer: Promise<Result>): Promise<Result> {
	return within(keyDeadlineMs, answer, storeUnavailable);
}

/** A connection of its own for long work, without the deadlines of requests. */
export async function openClient(url: string): Promise<Client> {
	const client = await connect(toConfig(url));
	await query(
		client,
		`SELECT ${durableCommits}, set_config('statement_timeout', '0', false)`,
	);
	return client;
}

async function connect(config: ClientConfig): Promise<Client> {
	const client = new Client(config);
	client.on("error", () => {});
	await client.connect();
	return client;
}

/** A standby would answer too, but not with what was just added. */
async function requireWritable(client: ClientBase): Promise<void> {
	const { rows } = await client.query(`SELECT ${readOnly}`);
	if (rows[0]?.isReadOnly) throw new Error("PostgreSQL is read-only");
}

export const readOnly = `current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Nobody is told 201 before it is durable, whatever the database's default is, and whatever it becomes while the session lasts. */
const durableCommits = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** Not as parameters of the connection, which some connection poolers refuse. */
async function setUpSession(client: ClientBase): Promise<void> {
	await requireWritable(client);
	await client.query(
		`SELECT ${durableCommits},
			set_config('statement_timeout', '${statementDeadlineMs}', false),
			set_config('default_transaction_isolation', 'read committed', false)`,
	);
}

/** A deadlock or a serialization failure: nothing was done, and the same again may work. */
function isConflict(error: unknown): boolean {
	return error instanceof DatabaseError && /^40/.test(error.code ?? "");
}

/** The server that the connection leads to takes no writes any more. */
function isReadOnly(error: unknown): boolean {
	return error instanceof DatabaseError && error.code === "25006";
}

/** The server did not answer in time; it may do so later. */
function isLost(error: unknown): boolean {
	return isTimeout(error, /^Query read timeout$/);
}

/** The library has no code for its own time-outs. */
function isTimeout(error: unknown, message = /timeout/i): boolean {
	return (
		error instanceof Error &&
		!(error instanceof DatabaseError) &&
		message.test(error.message)
	);
}

/** A mistake in our SQL or its data stays what it is; whatever else goes wrong with a server is `unavailable`. */
function toFailure(error: unknown): unknown {
	return error instanceof DatabaseError && ourMistakes.test(error.code ?? "")
		? error
		: storeUnavailable(error);
}

/** Not among them: a table or a right that somebody took away. */
const ourMistakes = /^(22|23|42(?!501|P01))/;

function toConfig(url: string): ClientConfig {
	const address = new URL(url);
	const sslmode = address.searchParams.get("sslmode");
	if (sslmode !== null) {
		if (!sslmodes.includes(sslmode))
			throw new OperatorError(
				`sslmode must be one of ${sslmodes.join(", ")}.`,
				2,
			);
		if (sslmode === "verify-ca" && !address.searchParams.has("sslrootcert"))
			throw new OperatorError(
				"sslmode verify-ca needs sslrootcert=FILE, the certificates to trust.",
				2,
			);
		// Else the library takes all of them for verify-full.
		address.searchParams.set("uselibpqcompat", "true");
	}
	return {
		connectionString: address.href,
		connectionTimeoutMillis: connectDeadlineMs,
		application_name: "petstore",
		keepAlive: true,
	};
}

const sslmodes = ["disable", "require", "verify-ca", "verify-full"];

async function prepareDatabase(url: string, create: boolean): Promise<void> {
	const { host, pathname } = new URL(url);
	const name = `The database ${pathname.slice(1)} on ${host}`;
	try {
		const client = await connect({
			...toConfig(url),
			query_timeout: migrationDeadlineMs,
		});
		await client.query(`SET statement_timeout = ${migrationDeadlineMs}`);
		await bringUpToDate(client, name, create).finally(() => client.end());
	} catch (error) {
		if (error instanceof OperatorError || !(error instanceof Error))
			throw error;
		throw new OperatorError(
			`${name} cannot be used: ${toStartProblem(error)}.`,
		);
	}
}

function toStartProblem(error: Error): string {
	if (isTimeout(error)) return "the server does not answer";
	const code = "code" in error ? String(error.code) : "";
	return startProblems[code] ?? error.message;
}

const startProblems: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there (is PostgreSQL running?)",
	ENOTFOUND: "there is no such host",
	"28P01": "the password is wrong",
	"28000": "the server does not let this user in",
	"3D000": "the server has no such database; create it first",
	"42501": "the user may not use the schema petstore in it, or not create it",
	"55P03": "another copy of the service is changing its tables",
	"57014": "another copy of the service is changing its tables",
};
