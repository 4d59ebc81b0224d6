// Hashes of a text, by Bun's functions. Those of Node.js would load node:crypto and node:zlib, which are large, and their SHA-256 takes half
// as long again; every request needs one or two.

export function sha256(text: string, encoding: "hex" | "base64url"): string {
	return Bun.SHA256.hash(text, encoding);
}

/** For the parts of a file. */
export function createSha256(): {
	readonly update: (bytes: Uint8Array) => unknown;
	readonly digest: (encoding: "hex") => string;
} {
	return new Bun.SHA256();
}

/** The CRC-32 of its UTF-8 bytes. */
export function crc32(text: string): number {
	return Bun.hash.crc32(text);
}
