// Adds an operator key to the database of a running service.
import { makeKey } from "../../harness/key.ts";
import { openStore } from "../../src/store/open.ts";

export async function makeOperatorKey(databaseUrl: string): Promise<string> {
	const store = await openStore(databaseUrl, { create: false });
	const { key, record } = makeKey({ scope: "operator" });
	await store.keys.add(record);
	await store.close();
	return key;
}
