// A long transaction that locks tables. Adds wait behind a transaction that waits for a lock, so each try is short, with a pause after it.
import type { ClientBase } from "pg";
import { StoreFailure } from "../../../domain/errors.ts";
import { lockPauseMs, lockTryMs } from "../../../limits.ts";
import { type TableName, toSqlName } from "../../archive/tables.ts";
import { wroteNothing } from "../../archive/write.ts";
import { tryUntilBegun, type WaitOptions } from "../../wait.ts";
import { withLongConnection } from "../connection.ts";
import { query } from "../database.ts";
import { isConflict, isLockTimeout } from "../errors.ts";

/** Other writers of the tables wait for the end of the transaction. Readers do not. */
export function withLockedTables<Result>(
	url: string,
	tables: readonly TableName[],
	options: WaitOptions,
	write: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
	return withLongConnection(url, "write", async (client) => {
		const begun = tryUntilBegun(
			() => begin(client, tables),
			lockPauseMs,
			options,
		);
		const result = await begun.then(() => write(client)).catch(wroteNothing);
		await query(client, "COMMIT");
		return result;
	});
}

/** Returns the reason if other transactions use the tables. */
async function begin(
	client: ClientBase,
	tables: readonly TableName[],
): Promise<Error | undefined> {
	const names = tables.map((name) => `petstore.${toSqlName(name)}`);
	await query(client, "BEGIN ISOLATION LEVEL READ COMMITTED");
	await query(client, `SET LOCAL lock_timeout = ${lockTryMs}`);
	try {
		await query(client, `LOCK TABLE ${names.join(", ")} IN EXCLUSIVE MODE`);
		await query(client, "SET LOCAL lock_timeout = 0");
		return undefined;
	} catch (error) {
		const cause = error instanceof StoreFailure ? error.cause : error;
		// A request that locks the tables in another order can cause a deadlock.
		if (!isLockTimeout(cause) && !isConflict(cause)) throw error;
		await query(client, "ROLLBACK");
		return new Error(await describeHolder(client));
	}
}

/** The oldest transaction that has locked one of our tables for writing. */
async function describeHolder(client: ClientBase): Promise<string> {
	const [row] = await query<{ pid: number; name: string; seconds: string }>(
		client,
		`SELECT pid, coalesce(application_name, '') AS name, extract(epoch FROM now() - xact_start)::int8 AS seconds
		FROM pg_stat_activity WHERE pid IN (
			SELECT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
			WHERE granted AND mode <> 'AccessShareLock' AND relnamespace = 'petstore'::regnamespace AND pid <> pg_backend_pid()
		) ORDER BY xact_start NULLS LAST LIMIT 1`,
	);
	if (row === undefined) return "other transactions use the tables";
	const { pid, name, seconds } = row;
	const who = name === "" ? `process ${pid}` : `process ${pid} (${name})`;
	return `${who} of PostgreSQL has used the tables in one transaction for ${seconds} s`;
}
