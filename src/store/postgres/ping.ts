// Whether PostgreSQL can answer now: the tables are readable, and the server takes writes.
import { storeUnavailable } from "../../contract/errors.ts";
import { isReadOnlyColumn } from "./connection.ts";
import { type Database, query, toStatements } from "./database.ts";

export async function ping(db: Database): Promise<void> {
	const [state] = await query<{ isReadOnly: boolean }>(db, statements.ping);
	if (!state?.isReadOnly) return;
	db.reconnect();
	throw storeUnavailable(new Error("PostgreSQL is read-only"));
}

const statements = toStatements({
	ping: `SELECT ${isReadOnlyColumn}, EXISTS (SELECT FROM petstore.pets)`,
});
