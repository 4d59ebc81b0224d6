// Makes a key and shows it; one that cannot be shown is revoked.
import { makeKey } from "../contract/api-key.ts";
import type { NewKey, Store } from "../store/store.ts";
import { print } from "./print.ts";

export async function issueKey(
	store: Store,
	options: Pick<NewKey, "name" | "scope" | "expiresAt">,
	toText: (made: { id: number; key: string }) => string,
): Promise<number> {
	const { key, record } = makeKey(options);
	const { id } = await store.addKey(record);
	try {
		print(toText({ id, key }));
	} catch (error) {
		await store.revokeKey(id, Date.now());
		throw error;
	}
	return id;
}
