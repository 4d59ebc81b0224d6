// Makes a key and prints it. A key that cannot be printed is revoked.
import { generateKey } from "../contract/api-key.ts";
import type { Keys, NewKey } from "../store/keys.ts";
import { print } from "./print.ts";

export async function issueKey(
	keys: Keys,
	options: Pick<NewKey, "name" | "scope" | "expiresAt">,
	toText: (made: { id: number; key: string }) => string,
): Promise<number> {
	const { key, hash, prefix } = generateKey();
	const createdAt = Date.now();
	const { id } = await keys.add({ ...options, hash, prefix, createdAt });
	try {
		print(toText({ id, key }));
	} catch (error) {
		await keys.revoke(id, Date.now());
		throw error;
	}
	return id;
}
