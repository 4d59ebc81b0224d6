// Opens connections that keep their session of PostgreSQL. A connection pooler in transaction mode gives each transaction another one, so
// the settings and prepared statements of a client would be those of others, and requests would fail here and there.
import type { Client, ClientConfig } from "pg";
import { OperatorError } from "../../../domain/errors.ts";
import { connectMs } from "../../../limits.ts";
import { connect, toConfig, toName } from "./connection.ts";

/** How often a start looks whether its session is its own. Others who use the pooler at that moment may hide it once. */
const sessionRounds = 3;

/** The first connection of every service and command. Refuses a pooler that does not keep its session. */
export async function connectToOwnSession(
	url: string,
	settings: ClientConfig = {},
): Promise<Client> {
	const config = toConfig(url);
	const client = await connect({ ...config, ...settings });
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

/** Whether a second client gets the session of the first, or the first gets another one while the second is in a transaction. */
async function isShared(client: Client, config: ClientConfig) {
	// If a second connection is not to be had, the first one goes on alone.
	const other = await connect({ ...config, query_timeout: connectMs }).catch(
		() => undefined,
	);
	if (other === undefined) return false;
	try {
		const own = await readPid(client);
		for (let round = 0; round < sessionRounds; round++) {
			if ((await readPidInTransaction(other)) === own) return true;
			if ((await readPid(client)) !== own) return true;
			await other.query("ROLLBACK").catch(() => {});
		}
		return false;
	} finally {
		other.end().catch(() => {});
	}
}

async function readPid(client: Client): Promise<number | undefined> {
	const { rows } = await client.query<{ pid: number }>(
		"SELECT pg_backend_pid() AS pid",
	);
	return rows[0]?.pid;
}

/** Undefined if there is no answer: a pooler may have no free session. */
async function readPidInTransaction(
	client: Client,
): Promise<number | undefined> {
	try {
		await client.query("BEGIN");
		return await readPid(client);
	} catch {
		return undefined;
	}
}
