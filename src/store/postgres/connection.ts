// Connections to PostgreSQL: their settings, and opening one.
import { Client, type ClientBase, type ClientConfig } from "pg";
import { OperatorError, storeWroteNothing } from "../../domain/errors.ts";
import { connectMs, statementMs } from "../../limits.ts";

/** How often a start checks that its session is its own. Other clients of a pooler may hide the sharing once. */
const sessionRounds = 3;
/**
 * After this time without data the kernel asks whether the server is still there, ten times at intervals of a second. So long work ends if
 * the server vanishes. By the default of Linux that takes more than two hours.
 */
const keepAliveMs = 30_000;
/** How long a short query of a start or a command may take. */
const firstQueryMs = 30_000;

/**
 * The first connection of every service and command. Refuses a connection pooler in transaction mode: it gives each transaction another
 * session, with settings and prepared statements of other clients, so requests would fail at random.
 */
export async function connectToOwnSession(url: string): Promise<Client> {
	const config = toConfig(url);
	const client = await connect({ ...config, query_timeout: firstQueryMs });
	try {
		if (await isShared(client, config))
			throw new OperatorError(
				`${toName(url)} is behind a connection pooler in transaction mode, which petstore does not support. Set its pool_mode to session, or connect to PostgreSQL itself.`,
			);
		return client;
	} catch (error) {
		await client.end();
		throw error;
	}
}

/** Whether both clients get the same session, or the first changes sessions while the second is in a transaction. */
async function isShared(client: Client, config: ClientConfig) {
	// Without a second connection, this cannot be checked.
	const other = await connect({ ...config, query_timeout: connectMs }).catch(
		() => undefined,
	);
	if (other === undefined) return false;
	try {
		const own = await readPid(client);
		for (let round = 0; round < sessionRounds; round++) {
			const begun = other.query("BEGIN").then(() => readPid(other));
			// A pooler may have no free session for it.
			const second = await begun.catch(() => undefined);
			if (second === own || (await readPid(client)) !== own) return true;
			await other.query("ROLLBACK").catch(() => {});
		}
		return false;
	} finally {
		other.end().catch(() => {});
	}
}

async function readPid(client: Client): Promise<unknown> {
	const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
	return rows[0]?.pid;
}

/** A connection outside the pool. */
export async function connect(config: ClientConfig): Promise<Client> {
	const client = new Client(config);
	// A connection that breaks fails its query. Without a listener it would end the process too.
	client.on("error", () => {});
	await client.connect();
	return client;
}

/** A connection for long work, without the timeouts of requests. With "read", PostgreSQL refuses every write. */
export async function openLongConnection(
	url: string,
	use: "read" | "write",
): Promise<Client> {
	const client = await connect(toConfig(url)).catch(wroteNothing);
	const setUp = `SELECT ${durableCommits}, ${noTimeouts}${use === "read" ? `, ${readOnly}` : ""}`;
	await client.query(setUp).catch(wroteNothing);
	// A killed command must leave no query running.
	await client
		.query("SET client_connection_check_interval = '1s'")
		.catch(() => {});
	return client;
}

function wroteNothing(error: unknown): never {
	throw storeWroteNothing(error);
}

/** Opens a connection for long work, and closes it after that, which rolls back an open transaction. */
export async function withLongConnection<Result>(
	url: string,
	use: "read" | "write",
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	const client = await openLongConnection(url, use);
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

/** Sets up a connection of the pool. By a query and not by parameters of the connection, which some connection poolers refuse. */
export async function setUpConnection(client: ClientBase): Promise<void> {
	const { rows } = await client.query(
		`SELECT ${isReadOnlyColumn}, ${durableCommits},
			set_config('statement_timeout', '${statementMs}', false),
			set_config('default_transaction_isolation', 'read committed', false)`,
	);
	// A standby would answer reads too, but may lack the newest writes.
	if (rows[0]?.isReadOnly) throw new Error("PostgreSQL is read-only");
}

export const isReadOnlyColumn = `current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Refuses writes in all transactions of a session. */
export const readOnly =
	"set_config('default_transaction_read_only', 'on', false)";

/** Switches off the timeouts of the server, the database and the user. PostgreSQL has `transaction_timeout` since version 17. */
const noTimeouts = `(SELECT count(set_config(name, '0', false)) FROM pg_settings
	WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'))`;

/** A 201 promises a durable animal, whatever the default of the database is or becomes. */
export const durableCommits = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)`;

/** For error messages. */
export function toName(url: string): string {
	const { host, pathname, searchParams } = new URL(url);
	const server = host || searchParams.get("host");
	return `The database ${pathname.slice(1) || "of the user"} on ${server}`;
}

/** The host that is called over the network without TLS. Asks the library, since variables like PGHOST and PGSSLMODE count too. */
export function toPlainHost(url: string): string | undefined {
	const { host, ssl } = new Client(toConfig(url));
	return ssl || host.startsWith("/") ? undefined : host;
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
		if (sslmode === "verify-ca" && !address.searchParams.has("sslrootcert"))
			throw new OperatorError(
				"sslmode verify-ca needs sslrootcert=FILE, the certificates to trust.",
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
	};
}

const sslmodes = ["disable", "require", "verify-ca", "verify-full"];
