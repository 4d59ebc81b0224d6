// Connections to PostgreSQL: their settings, and opening one.
import {
	Client,
	type ClientBase,
	type ClientConfig,
	types as defaultTypes,
} from "pg";
import { OperatorError } from "../../domain/errors.ts";
import { longLockMs } from "../../limits.ts";

const connectMs = 1_500;

/**
 * After this time without data the kernel asks whether the server is still there, ten times at intervals of a second. So long work ends if
 * the server vanishes. By the default of Linux that takes more than two hours.
 */
const keepAliveMs = 30_000;

/**
 * The number is arbitrary, the same in all copies of the service. PostgreSQL releases the lock with the end of the transaction, after the
 * commit is visible and a synchronous standby has it. The message makes the commit of a transaction that writes nothing else wait for the
 * standby, too.
 */
export const writerLock =
	"pg_advisory_xact_lock(1885696115), pg_logical_emit_message(true, 'petstore', '')";

/** A connection outside the pool. */
export async function connect(config: ClientConfig): Promise<Client> {
	const client = new Client(config);
	// A connection that breaks fails its query. Without a listener it would end the process too.
	client.on("error", () => {});
	await client.connect();
	return client;
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
		// PostgreSQL has `transaction_timeout` since version 17.
		await client.query(
			`SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`,
		);
		// A killed command must leave no query running.
		await client
			.query("SET client_connection_check_interval = '1s'")
			.catch(() => {});
		return client;
	} catch (error) {
		await client.end();
		throw error;
	}
}

/** How long an import or a restore may take between two statements. */
const longIdleMs = 10_000;

interface SessionOptions {
	readonly isReadOnly: boolean;
	/** 0 for long work, whatever the server, the database or the user has. */
	readonly statementMs: number;
	/** How long a transaction may wait for this process, perhaps with the lock of all writers; 0 for any time. */
	readonly idleMs: number;
}

/** By a query and not by parameters of the connection, which some connection poolers refuse. */
export async function setUp(
	client: ClientBase,
	{ isReadOnly, statementMs, idleMs }: SessionOptions,
): Promise<void> {
	const settings = {
		search_path: "petstore",
		// A stricter level would see the tables as they were before the lock was acquired.
		default_transaction_isolation: "read committed",
		statement_timeout: statementMs,
		// Shorter, to tell a statement that waits from one that is slow.
		lock_timeout: statementMs === 0 ? longLockMs : statementMs - 100,
		idle_in_transaction_session_timeout: idleMs,
		// The same for a process that has stopped while a long answer is sent to it: no other timeout ends that.
		tcp_user_timeout: idleMs,
		// A plan for small tables stays when they have grown, until PostgreSQL analyses them. Each question of ours has an index.
		enable_seqscan: "off",
		...(isReadOnly && { default_transaction_read_only: "on" }),
	};
	const sets = Object.entries(settings).map(
		([name, value]) => `set_config('${name}', '${value}', false)`,
	);
	await client.query(`SELECT ${durableCommits}, ${sets.join(", ")}`);
	if (!isReadOnly) await requireWritable(client);
}

/** A standby would answer reads too, but may lack the newest writes. */
export async function requireWritable(client: ClientBase): Promise<void> {
	const { rows } = await client.query<{ isReadOnly: boolean }>(
		`SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
	);
	if (rows[0]?.isReadOnly) throw new Error("PostgreSQL is read-only");
}

/** A 201 promises a durable animal, whatever the default of the database is or becomes. */
export const durableCommits = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** For error messages. */
export function toName(url: string): string {
	const { host, pathname, searchParams } = new URL(url);
	const server = host || searchParams.get("host");
	return `The database ${pathname.slice(1) || "of the user"} on ${server}`;
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
	return {
		connectionString: address.href,
		connectionTimeoutMillis: connectMs,
		application_name: "petstore",
		keepAlive: true,
		keepAliveInitialDelayMillis: keepAliveMs,
		// A statement is sent before the one before it is answered.
		pipeline: true,
		types: { getTypeParser },
	};
}

const sslmodes = ["disable", "require", "verify-ca", "verify-full"];

const int8 = 20;

/** An int8 is a bigint, as in SQLite. The library would give a text. */
function getTypeParser(type: number, format?: "text" | "binary") {
	return type === int8 ? BigInt : defaultTypes.getTypeParser(type, format);
}
