// Connections to PostgreSQL: their settings, and opening one.
import type { Socket } from "node:net";
import {
	Client,
	type ClientBase,
	type ClientConfig,
	types as defaultTypes,
} from "pg";
import { parseIntoClientConfig } from "pg-connection-string";
import { withTimeout } from "../../domain/async.ts";
import { OperatorError } from "../../domain/errors.ts";
import { longLockMs } from "../../limits.ts";

const connectMs = 1_500;

/**
 * After this time without data the kernel asks whether the server is still there, ten times at intervals of a second. So long work ends if
 * the server vanishes. By the default of Linux that takes more than two hours.
 */
const keepAliveMs = 30_000;

/**
 * The number is arbitrary, the same in all copies of the service. PostgreSQL releases the lock with the end of the transaction, when the
 * commit is visible.
 */
export const writerLock = "pg_advisory_xact_lock(1885696115)";

/** A connection outside the pool. */
export async function connect(config: ClientConfig): Promise<Client> {
	const client = new Client(config);
	// A connection that breaks fails its query. Without a listener it would end the process too.
	client.on("error", () => {});
	await client.connect();
	return client;
}

/** Waits for the answer to a query, but not for long: it may never come. */
export async function end(client: Client): Promise<void> {
	const cut = () => {
		client.connection.stream.destroy();
		return new Error("the connection did not end");
	};
	await withTimeout(connectMs, client.end(), cut).catch(() => {});
}

/** A connection for long work, without the timeouts of requests. With "read", PostgreSQL refuses every write. */
export async function connectForLong(
	url: string,
	use: "read" | "write",
): Promise<Client> {
	const client = await connect(toConfig(url));
	try {
		await setUp(client, {
			isReadOnly: use === "read",
			statementMs: 0,
			idleMs: use === "read" ? 0 : longIdleMs,
		});
		// A killed command must leave no query running.
		await client
			.query("SET client_connection_check_interval = '1s'")
			.catch(() => {});
		return client;
	} catch (error) {
		await end(client);
		throw error;
	}
}

/** How long an import or a restore may take between two statements. */
const longIdleMs = 10_000;

interface SessionOptions {
	readonly isReadOnly: boolean;
	/** 0 for long work. */
	readonly statementMs: number;
	/** How long a transaction may wait for this process, perhaps with the lock of all writers; 0 for any time. */
	readonly idleMs: number;
}

/** A promise of durability needs more than `local`, whatever a role or a database has; less than the standbys promise is theirs to say. */
export const flushed =
	"CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on' ELSE current_setting('synchronous_commit') END";

/**
 * What a session needs, whatever the server, the database or the role has set. By queries and not by parameters of the connection, which
 * some connection poolers refuse.
 */
export async function setUp(
	client: ClientBase,
	{ isReadOnly, statementMs, idleMs }: SessionOptions,
): Promise<void> {
	const settings = {
		search_path: "petstore",
		// A stricter level would see the tables as they were before the lock was acquired.
		default_transaction_isolation: "read committed",
		// Shorter than that of a statement, to tell a statement that waits from one that is slow.
		lock_timeout: statementMs === 0 ? longLockMs : statementMs - 100,
		idle_in_transaction_session_timeout: idleMs,
		// The same for a process that has stopped while a long answer is sent to it: no other timeout ends that.
		tcp_user_timeout: idleMs,
		idle_session_timeout: 0,
		// An array of ours may have NULL.
		array_nulls: "on",
		// Compiling a statement takes longer than running it.
		jit: "off",
		...plannerDefaults,
		// Each part of a backup or an export would sort the whole table.
		...(isReadOnly && statementMs === 0 && { enable_sort: "off" }),
		client_min_messages: "warning",
		...(isReadOnly && { default_transaction_read_only: "on" }),
	};
	const sets = Object.entries(settings).map(
		([name, value]) => `set_config('${name}', '${value}', false)`,
	);
	// Sent together. The first one alone, since the timeout of a role may be too short for the second.
	await Promise.all([
		client.query(`SET statement_timeout = ${statementMs}`),
		client.query(
			`SELECT set_config('synchronous_commit', ${flushed}, false), ${sets.join(", ")}, ${noLimit}`,
		),
	]);
	if (!isReadOnly) await requireWritable(client);
}

/** PostgreSQL has this timeout since version 17. */
const noLimit = `CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL
	THEN set_config('transaction_timeout', '0', false) END`;

/** PostgreSQL's own, but for one. With others, which a database may have for other programs, our statements would not use their indexes. */
const plannerDefaults = {
	enable_bitmapscan: "on",
	enable_hashjoin: "on",
	enable_indexonlyscan: "on",
	enable_indexscan: "on",
	enable_material: "on",
	enable_mergejoin: "on",
	enable_nestloop: "on",
	enable_seqscan: "on",
	enable_sort: "on",
	seq_page_cost: 1,
	// With its own, 4, a step of a clean-up reads a whole table of 100,000 rows rather than look up 200.
	random_page_cost: 1.1,
	cpu_tuple_cost: 0.01,
	cpu_index_tuple_cost: 0.005,
	cpu_operator_cost: 0.0025,
	effective_cache_size: "4GB",
	plan_cache_mode: "auto",
	work_mem: "4MB",
};

/** A standby would answer reads too, but may lack the newest writes. */
export async function requireWritable(client: ClientBase): Promise<void> {
	const { rows } = await client.query<{ reason: string }>(
		`SELECT CASE WHEN pg_is_in_recovery() THEN 'it is a standby' ELSE 'default_transaction_read_only is on' END AS reason
		WHERE current_setting('transaction_read_only') = 'on'`,
	);
	const [found] = rows;
	if (found) throw new Error(`PostgreSQL is read-only: ${found.reason}`);
}

/** Settings, locks and statements of ours belong to a session, which a pooler in transaction mode gives to another client in between. */
export async function requireOwnSession(
	client: Client,
	url: string,
): Promise<void> {
	const { localPort } = client.connection.stream as Socket;
	const { rows } = await client.query<{ port: number | null }>(
		"SELECT inet_client_port() AS port",
	);
	// Nobody is in between.
	if (localPort !== undefined && rows[0]?.port === localPort) return;
	await setSession(client, "one");
	// By turns, a pooler that takes all of its connections in turn is found too.
	let isOwn = await hasSession(client, "one");
	const other = await connect(toConfig(url));
	try {
		await setSession(other, "other");
		isOwn &&= await hasSession(client, "one");
	} finally {
		await end(other);
	}
	if (!isOwn)
		throw new OperatorError(
			`${toName(url)} is reached through a connection pooler in transaction mode; use session mode, or PostgreSQL itself.`,
		);
}

async function setSession(client: Client, name: string): Promise<void> {
	await client.query(`SELECT set_config('petstore.session', '${name}', false)`);
}

async function hasSession(client: Client, name: string): Promise<boolean> {
	const { rows } = await client.query<{ name: string | null }>(
		"SELECT current_setting('petstore.session', true) AS name",
	);
	return rows[0]?.name === name;
}

/** For error messages. */
export function toName(url: string): string {
	const { host, searchParams } = new URL(url);
	const server = host || searchParams.get("host");
	return `The database ${toDatabase(url) || "of the user"} on ${server}`;
}

export function toConfig(url: string): ClientConfig {
	const address = new URL(url);
	const sslmode = address.searchParams.get("sslmode");
	if (sslmode !== null) {
		if (!sslmodes.includes(sslmode))
			throw new OperatorError(
				`sslmode must be one of ${sslmodes.join(", ")}.`,
				2,
			);
		// Without it the library treats all modes as verify-full.
		address.searchParams.set("uselibpqcompat", "true");
	}
	const database = toDatabase(url);
	return {
		connectionTimeoutMillis: connectMs,
		application_name: "petstore",
		keepAlive: true,
		keepAliveInitialDelayMillis: keepAliveMs,
		// A statement is sent before the one before it is answered.
		pipeline: true,
		...parseIntoClientConfig(address.href),
		...(database !== "" && { database }),
		types: { getTypeParser },
	};
}

/** Its name. The library would leave some characters encoded, as %24 for a dollar sign. */
function toDatabase(url: string): string {
	return decodeURIComponent(new URL(url).pathname.slice(1));
}

const sslmodes = ["disable", "require", "verify-ca", "verify-full"];

const int8 = 20;

/** An int8 is a bigint, as in SQLite. The library would give a text. */
function getTypeParser(type: number, format?: "text" | "binary") {
	return type === int8 ? BigInt : defaultTypes.getTypeParser(type, format);
}
