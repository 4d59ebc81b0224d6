// JSON with exact int64: a whole number within int64 is a bigint, any other is a number.

/** Throws if the text is not JSON. */
export function parseExactly(text: string): unknown {
	return JSON.parse(text, (_key, value: unknown, { source }) =>
		typeof value === "number" ? toNumber(value, source) : value,
	);
}

/** JSON.stringify with bigints. */
export function toJson(value: unknown): string {
	return JSON.stringify(value, (_key, member: unknown) =>
		typeof member === "bigint" ? JSON.rawJSON(`${member}`) : member,
	);
}

function toNumber(value: number, numeral: string): bigint | number {
	// Most are short and have only digits.
	return Number.isSafeInteger(value) && /^-?\d+$/.test(numeral)
		? BigInt(value)
		: (toInt64(numeral) ?? value);
}

/** The whole number that a JSON numeral denotes; undefined for a fraction or a number outside int64. */
export function toInt64(numeral: string): bigint | undefined {
	const [, sign = "", whole = "", fraction = "", exponent = "0"] =
		/^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(numeral) ?? [];
	const digits = (whole + fraction).replace(/^0+/, "");
	if (digits === "") return 0n;
	// The number of digits before the decimal point. No power is computed, so 1e1000000000 costs nothing.
	const length = digits.length - fraction.length + Number(exponent);
	const isFraction = /[1-9]/.test(digits.slice(Math.max(length, 0)));
	if (isFraction || length > maxDigits) return undefined;
	const value = BigInt(sign + digits.slice(0, length).padEnd(length, "0"));
	return BigInt.asIntN(64, value) === value ? value : undefined;
}

const maxDigits = 19;

declare global {
	/** The standard's source text access, which TypeScript's library lacks. */
	interface JSON {
		parse(
			text: string,
			reviver: (
				key: string,
				value: unknown,
				/** Only primitives have a source. */
				context: { readonly source: string },
			) => unknown,
		): unknown;
		rawJSON(numeral: string): unknown;
	}
}
