// JSON with exact int64: a whole number within int64 is a bigint, any other is a number.

/** Throws if the text is not JSON. */
export function parseExactly(text: string): unknown {
	if (longNumeral.test(text)) return parseMarked(text);
	return JSON.parse(text, (_key, value: unknown) =>
		Number.isSafeInteger(value) ? BigInt(Number(value)) : value,
	);
}

/** For values without int64: every number is a double. Throws if the text is not JSON. */
export function parseRounded<Value>(text: string): Value {
	return JSON.parse(text);
}

/** JSON.stringify refuses a bigint. */
export function toJson(value: unknown): string {
	const bigints: string[] = [];
	const text = JSON.stringify(value, (_name, part) =>
		typeof part === "bigint" ? `\0${bigints.push(String(part)) - 1}` : part,
	);
	return text.replace(/"\\u0000(\d+)"/g, (_, index) => bigints[index] ?? "");
}

/** A number may be rounded if it has more than 15 digits or an exponent. */
const longNumeral = /\d[\d.]{15}|\de/i;

/**
 * Turns numbers into strings before parsing, so that they keep their digits. All strings then start with a mark: `n` for a number, `s` for
 * a string; member names have none. A first parse refuses invalid text, which marks could make valid.
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

/** A string, with its colon if it is a member name; or a number. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** The whole number that a JSON numeral denotes; undefined for a fraction or a number outside int64. */
function toInt64(numeral: string): bigint | undefined {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(numeral) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	if (digits === "") return 0n;
	// The number of digits before the decimal point. Computes no power, so 1e1000000000 is cheap.
	const length = digits.length - fraction.length + Number(exponent);
	const isFraction = /[1-9]/.test(digits.slice(Math.max(length, 0)));
	if (isFraction || length > 19) return undefined;
	const value = BigInt(sign + digits.slice(0, length).padEnd(length, "0"));
	return BigInt.asIntN(64, value) === value ? value : undefined;
}
