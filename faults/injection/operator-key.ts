// A key with operator rights in the database of a service that runs.
import { makeKey } from "../../harness/key.ts";
import { openStore } from "../../src/store/open.ts";

export async function makeOperatorKey(databaseUrl: string): Promise<string> {
	const store = await openStore(databaseUrl, { create: false });
	const { key, record } = makeKey({ scope: "operator" });
	await store.keys.add(record);
	await store.close();
	return key;
}
