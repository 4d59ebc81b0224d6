// An API key: `pet_`, 32 random characters, 6 of checksum. Only its hash and its first characters are ever kept.
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { NewKey } from "../store/store.ts";

/** A new key and what is kept of it. */
export function makeKey(
	options: Pick<NewKey, "name" | "scope" | "expiresAt">,
): { key: string; record: NewKey } {
	const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]);
	const key = withChecksum(`pet_${random.join("")}`);
	const record = {
		...options,
		hash: hashKey(key),
		prefix: key.slice(0, 8),
		createdAt: Date.now(),
	};
	return { key, record };
}

/** Whether the text is one that `makeKey` can have made: secret scanners and we find a mistyped key without a lookup. */
export function isKey(text: string): boolean {
	return (
		/^pet_[0-9A-Za-z]{38}$/.test(text) &&
		text === withChecksum(text.slice(0, -checksumLength))
	);
}

export function hashKey(key: string): string {
	return hash("sha256", key, "hex");
}

const alphabet =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const checksumLength = 6;

function withChecksum(text: string): string {
	let rest = crc32(text);
	let checksum = "";
	while (checksum.length < checksumLength) {
		checksum = alphabet[rest % 62] + checksum;
		rest = Math.floor(rest / 62);
	}
	return text + checksum;
}
