// Connections to PostgreSQL: their settings, and opening one.
import { Client, type ClientBase, type ClientConfig } from "pg";
import { OperatorError, storeWroteNothing } from "../../domain/errors.ts";
import { connectMs, statementMs } from "../../limits.ts";

/**
 * After this time without data the kernel asks whether the server is still there, ten times at intervals of a second. So long work ends if
 * the server vanishes. By the default of Linux that takes more than two hours.
 */
const keepAliveMs = 30_000;
/** How long a short query of a start or a command may take. */
const firstQueryMs = 30_000;

/** The first connection of a service or a command. */
export function connectFirst(url: string): Promise<Client> {
	return connect({ ...toConfig(url), query_timeout: firstQueryMs });
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
