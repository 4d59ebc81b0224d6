// Parses JSON with exact int64: a number whose value is a whole int64 becomes a bigint, any other stays a number.

/** Throws if the text is not JSON. */
export function parseExactly(text: string): unknown {
	if (longNumeral.test(text)) return parseMarked(text);
	return JSON.parse(text, (_key, value: unknown) =>
		Number.isSafeInteger(value) ? BigInt(Number(value)) : value,
	);
}

/** A number may be rounded if it has more than 15 digits or an exponent. */
const longNumeral = /\d[\d.]{15}|\de/i;

/**
 * Turns each number into a string before it parses. All strings then begin with a mark, `n` for a number and `s` for a string,
 * except the names of members. The first parse refuses what is not JSON, since marks could turn it into JSON.
 */
function parseMarked(text: string): unknown {
	JSON.parse(text);
	const marked = text.replace(tokens, (token, colon?: string) => {
		if (colon !== undefined) return token;
		return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`;
	});
	return JSON.parse(marked, (_key, value: unknown) => {
		if (typeof value !== "string") return value;
		const rest = value.slice(1);
		return value.startsWith("n") ? (toInt64(rest) ?? Number(rest)) : rest;
	});
}

/** A string, with the colon if it is the name of a member; or a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** The whole number that a JSON numeral denotes; undefined for a fraction or a number outside int64. */
function toInt64(numeral: string): bigint | undefined {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(numeral) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	if (digits === "") return 0n;
	// How many digits the number has before its decimal point. No power is computed, so 1e1000000000 costs nothing.
	const length = digits.length - fraction.length + Number(exponent);
	const isFraction = /[1-9]/.test(digits.slice(Math.max(length, 0)));
	if (isFraction || length > 19) return undefined;
	const value = BigInt(sign + digits.slice(0, length).padEnd(length, "0"));
	return BigInt.asIntN(64, value) === value ? value : undefined;
}
