// An API key: `pet_`, 32 random characters and a checksum of 6. Only its hash and its first characters are ever stored.
import { Failure } from "./errors.ts";
import { crc32, sha256 } from "./hash.ts";
import { type KeyScope, keyScopes } from "./key-scope.ts";

const included: Readonly<Record<KeyScope, readonly KeyScope[]>> = {
	read: ["read"],
	"read-write": ["read", "read-write"],
	operator: keyScopes,
	metrics: ["metrics"],
};

export function generateKey() {
	const random = Array.from({ length: 32 }, randomCharacter);
	const key = withChecksum(`pet_${random.join("")}`);
	return { key, hash: hashKey(key), prefix: key.slice(0, 8) };
}

/** Whether the text has the form and the checksum of a key. This detects mistyped keys without a lookup. */
export function isKey(text: string): boolean {
	return (
		/^pet_[0-9A-Za-z]{38}$/.test(text) &&
		text === withChecksum(text.slice(0, -checksumLength))
	);
}

export function hashKey(key: string): string {
	return sha256(key, "hex");
}

export function includesScope(scope: KeyScope, needed: KeyScope): boolean {
	return included[scope].includes(needed);
}

/** Throws `forbidden` unless `scope` includes `needed`. */
export function requireScope(scope: KeyScope, needed: KeyScope): void {
	if (includesScope(scope, needed)) return;
	throw new Failure(
		"forbidden",
		`The API key needs the scope ${needed}; its scope is ${scope}.`,
	);
}

const alphabet =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const checksumLength = 6;

/** Skips bytes from 248 (4 × 62) on, so that all characters are equally likely. */
function randomCharacter(): string {
	const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
	return byte < 248 ? alphabet.charAt(byte % 62) : randomCharacter();
}

function withChecksum(text: string): string {
	let rest = crc32(text);
	let checksum = "";
	while (checksum.length < checksumLength) {
		checksum = alphabet[rest % 62] + checksum;
		rest = Math.floor(rest / 62);
	}
	return text + checksum;
}

/** The form of an Idempotency-Key and PETSTORE_API_KEY. */
export const visibleAscii = /^[!-~]{1,255}$/;
