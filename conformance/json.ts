// Parses JSON with exact integers. Not with the parser of the service, whose mistakes the cases must find.

/** Whole numbers become bigints. Throws if the bytes are not UTF-8 or not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
	const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	return JSON.parse(text, (_key, value: unknown, { source }) => {
		if (typeof value !== "number") return value;
		if (/^-?\d+$/.test(source)) return BigInt(source);
		// A whole number in another notation, like 1.0 or 1e2.
		return Number.isSafeInteger(value) ? BigInt(value) : value;
	});
}

export function isInt64(value: unknown): boolean {
	return typeof value === "bigint" && BigInt.asIntN(64, value) === value;
}
