// Adds an operator key to the database of a running service.

import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../../test/harness/key.ts";

export async function makeOperatorKey(databaseUrl: string): Promise<string> {
	const store = await openStore(databaseUrl, { access: "write" });
	const { key, record } = makeKey({ scope: "operator" });
	await store.keys.add(record);
	await store.close();
	return key;
}
