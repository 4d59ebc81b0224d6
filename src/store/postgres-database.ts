// A PostgreSQL URL to a pool of connections; deadlines; what errors mean.
import {
	Client,
	type ClientBase,
	type ClientConfig,
	DatabaseError,
	Pool,
	type QueryResultRow,
} from "pg";
import { OperatorError, storeUnavailable } from "../errors.ts";
import { bringUpToDate } from "./postgres-schema.ts";

/** Nobody waits longer, whatever becomes of the connection; below the three seconds that are promised. */
const callerDeadlineMs = 2_700;
const queryDeadlineMs = 2_500;
/** The server gives up first where it can, so that what was refused has surely not been done. */
const statementDeadlineMs = 2_000;
const connectDeadlineMs = 2_000;
/** How often a query is tried that PostgreSQL itself asks to repeat. */
const maxAttempts = 5;

export async function openDatabase(
	url: string,
	create: boolean,
	poolSize: number,
): Promise<Pool> {
	await prepareDatabase(url, create);
	const pool = new Pool({
		...toConfig(url),
		max: poolSize,
		query_timeout: queryDeadlineMs,
		statement_timeout: statementDeadlineMs,
		onConnect: setUpSession,
	});
	// A connection that breaks while it is idle is dropped by the pool; the next query opens another.
	pool.on("error", () => {});
	return pool;
}

export async function query<Row extends QueryResultRow>(
	db: Pool | ClientBase,
	text: string,
	values: unknown[] = [],
): Promise<Row[]> {
	for (let attempt = 1; ; attempt++) {
		try {
			return (await db.query<Row>(text, values)).rows;
		} catch (error) {
			if (!isConflict(error) || attempt === maxAttempts) throw toFailure(error);
		}
	}
}

export async function inTime<Result>(answer: Promise<Result>): Promise<Result> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(
		() => late.reject(storeUnavailable()),
		callerDeadlineMs,
	);
	try {
		return await Promise.race([answer, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}

/** A connection without the deadlines of requests. */
export async function openClient(url: string): Promise<Client> {
	const client = new Client(toConfig(url));
	client.on("error", () => {});
	await client.connect();
	return client;
}

/** A standby would answer too, but not with what was just added. */
export async function requireWritable(db: Pool | ClientBase): Promise<void> {
	const [row] = await query<{ isReadOnly: boolean }>(
		db,
		`SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
	);
	if (row?.isReadOnly)
		throw storeUnavailable(new Error("PostgreSQL is read-only"));
}

async function setUpSession(client: ClientBase): Promise<void> {
	await requireWritable(client);
	// Our statements count on these, whatever the database's defaults are: nobody is told 201 before it is durable.
	await query(
		client,
		`SELECT set_config('default_transaction_isolation', 'read committed', false),
			CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END`,
	);
}

/** A deadlock or a serialization failure: nothing was done, and the same again may work. */
function isConflict(error: unknown): boolean {
	return error instanceof DatabaseError && /^40/.test(error.code ?? "");
}

/** A mistake in our SQL or its data stays what it is; whatever else goes wrong with a server is `unavailable`. */
function toFailure(error: unknown): unknown {
	return error instanceof DatabaseError && /^(22|23|42)/.test(error.code ?? "")
		? error
		: storeUnavailable(error);
}

function toConfig(url: string): ClientConfig {
	const address = new URL(url);
	// The library's own reading of sslmode differs from that of PostgreSQL's tools.
	if (address.searchParams.has("sslmode"))
		address.searchParams.set("uselibpqcompat", "true");
	return {
		connectionString: address.href,
		connectionTimeoutMillis: connectDeadlineMs,
		application_name: "petstore",
		keepAlive: true,
	};
}

async function prepareDatabase(url: string, create: boolean): Promise<void> {
	const { host, pathname } = new URL(url);
	const name = `The database ${pathname.slice(1)} on ${host}`;
	const client = new Client(toConfig(url));
	client.on("error", () => {});
	try {
		await client.connect();
		await bringUpToDate(client, name, create);
	} catch (error) {
		if (error instanceof OperatorError || !(error instanceof Error))
			throw error;
		throw new OperatorError(`${name} cannot be used: ${toReason(error)}.`);
	} finally {
		await client.end();
	}
}

function toReason(error: Error): string {
	// The library has no code for its own time-outs.
	if (/timeout/.test(error.message)) return "the server does not answer";
	const code = "code" in error ? String(error.code) : "";
	return startProblems[code] ?? error.message;
}

const startProblems: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there (is PostgreSQL running?)",
	ENOTFOUND: "there is no such host",
	"28P01": "the password is wrong",
	"28000": "the server does not let this user in",
	"3D000": "the server has no such database; create it first",
	"42501": "the user may not create the schema petstore in it",
};
