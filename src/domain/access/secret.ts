// What lets a caller in: API keys, and the tokens of sessions and sign-in links. Only their hashes are ever stored, and the first
// characters of a key.

/** `pet_`, 32 random characters and a checksum of 6. */
export function generateKey() {
	const random = Array.from({ length: 32 }, randomCharacter);
	const key = withChecksum(`pet_${random.join("")}`);
	return { key, hash: hashSecret(key), prefix: key.slice(0, 8) };
}

/** Whether the text has the form and the checksum of a key. This detects mistyped keys without a lookup. */
export function isKey(text: string): boolean {
	return (
		/^pet_[0-9A-Za-z]{38}$/.test(text) &&
		text === withChecksum(text.slice(0, -checksumLength))
	);
}

/** 256 random bits. */
export function generateToken() {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	const token = Buffer.from(bytes).toString("base64url");
	return { token, hash: hashSecret(token) };
}

/** Other texts need no lookup. */
export function isToken(text: string): boolean {
	return /^[\w-]{43}$/.test(text);
}

export function hashSecret(secret: string): string {
	return Bun.SHA256.hash(secret, "hex");
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
	let rest: number = Bun.hash.crc32(text);
	let checksum = "";
	while (checksum.length < checksumLength) {
		checksum = alphabet[rest % 62] + checksum;
		rest = Math.floor(rest / 62);
	}
	return text + checksum;
}

/** The form of an Idempotency-Key and PETSTORE_API_KEY. */
export const visibleAscii = /^[!-~]{1,255}$/;
