// Hashes of a text, by Bun: its SHA-256 is faster than that of node:crypto, and node:crypto and node:zlib take long to load.

export function sha256(text: string, encoding: "hex" | "base64url"): string {
	return Bun.SHA256.hash(text, encoding);
}

/** The CRC-32 of its UTF-8 bytes. */
export function crc32(text: string): number {
	return Bun.hash.crc32(text);
}
