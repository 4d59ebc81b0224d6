// Sends one query over a connection of the pool. Unlike the pool's own `query`, it tells a query that was not sent from one whose
// answer was lost.
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { notSent } from "./errors.ts";

export async function send<Row extends QueryResultRow>(
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
