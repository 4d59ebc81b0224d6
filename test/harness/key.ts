// Makes a new API key, and the record of it that a store keeps.
import { generateKey } from "../../src/domain/access/secret.ts";
import type { NewKey } from "../../src/store/access/keys.ts";

export function makeKey(
	options: Partial<Pick<NewKey, "name" | "scope" | "expiresAt">> = {},
): { key: string; record: NewKey } {
	const { key, hash, prefix } = generateKey();
	const record: NewKey = {
		name: "test",
		scope: "read-write",
		expiresAt: undefined,
		...options,
		hash,
		prefix,
		createdAt: Date.now(),
	};
	return { key, record };
}
