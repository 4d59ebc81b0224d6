// Finds API keys in PostgreSQL. Callers that look up keys at the same time share a query.
import { keyLookupMs } from "../../../limits.ts";
import type { EngineRow } from "../../archive/tables.ts";
import {
	type Key,
	type Keys,
	keyColumns,
	openKeys as openSharedKeys,
	toKey,
} from "../../keys.ts";
import { createBatch } from "../../queue/batch.ts";
import {
	type Database,
	query,
	toRequests,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";

export function openKeys(db: Database): Keys {
	const find = createBatch((hashes: readonly string[]) =>
		withAnswerTimeout(findKeys(db, hashes), keyLookupMs),
	);
	return openSharedKeys(
		toRequests(db),
		(hash) => withAnswerTimeout(find(hash), keyLookupMs),
		"FOR UPDATE SKIP LOCKED",
	);
}

async function findKeys(
	db: Database,
	hashes: readonly string[],
): Promise<(Key | undefined)[]> {
	const rows = await query<EngineRow>(db, statements.findKeys, [hashes]);
	const found = new Map(rows.map((row) => [row.hash, toKey(row)]));
	return hashes.map((hash) => found.get(hash));
}

const statements = toStatements({
	findKeys: `SELECT ${keyColumns} FROM petstore.keys WHERE hash = ANY ($1::text[])`,
});
