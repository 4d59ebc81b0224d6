// SHA-256 of a text. By Bun's function, since that of node:crypto takes half as long again, and every request needs one or two.

export function sha256(text: string, encoding: "hex" | "base64url"): string {
	return Bun.SHA256.hash(text, encoding);
}
