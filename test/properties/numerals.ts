// Generates JSON numerals in every notation, together with the number that they denote.
import fc from "fast-check";
import { maxInt64, minInt64 } from "../../src/domain/types/json.ts";

export interface Numeral {
	readonly text: string;
	readonly kind: "int64" | "beyond int64" | "fraction";
}

/** Any JSON number, mostly near the limits of int64 and of the integers that a double holds exactly. */
export function anyNumeral(): fc.Arbitrary<Numeral> {
	const spelled = fc
		.tuple(coefficients(), fc.oneof(fc.constant(0), exponents()), notations())
		.map(([coefficient, exponent, notation]) => ({
			text: spell(coefficient, exponent, notation),
			kind: kindOf(coefficient, exponent),
		}));
	const int64 = int64Numeral().map(
		({ text }): Numeral => ({ text, kind: "int64" }),
	);
	return fc.oneof(
		{ weight: 10, arbitrary: int64 },
		{ weight: 10, arbitrary: spelled },
		{ weight: 1, arbitrary: fc.constantFrom(...extremes) },
	);
}

/** An int64 and one of its notations. */
export function int64Numeral(): fc.Arbitrary<{ text: string; value: bigint }> {
	return fc
		.tuple(coefficients().filter(isInt64), notations())
		.map(([value, notation]) => ({ text: spell(value, 0, notation), value }));
}

// Their exponents are too large to compute the power.
const extremes: readonly Numeral[] = [
	{ text: "1e1000000000", kind: "beyond int64" },
	{ text: "-1E+999999999999999999999", kind: "beyond int64" },
	{ text: "1e-1000000000", kind: "fraction" },
	{ text: "0e999999999999", kind: "int64" },
	{ text: "-0.0E-999999999999", kind: "int64" },
];

function coefficients(): fc.Arbitrary<bigint> {
	const edges = [0n, minInt64, maxInt64, 2n ** 53n, -(2n ** 53n), 10n ** 18n];
	return fc.oneof(
		fc
			.tuple(
				fc.constantFrom(...edges, ...edges.map((edge) => edge * 10n)),
				fc.bigInt(-9n, 9n),
			)
			.map(([edge, distance]) => edge + distance),
		fc.bigInt(minInt64, maxInt64),
		fc.bigInt(-(10n ** 25n), 10n ** 25n),
	);
}

function exponents(): fc.Arbitrary<number> {
	return fc.integer({ min: -25, max: 25 });
}

/** The choices that JSON leaves for writing a number. */
interface Notation {
	/** How many places the decimal point is moved to the left. The exponent is raised by as many. */
	readonly shift: number;
	readonly trailingZeros: number;
	readonly withExponent: boolean;
	readonly exponentMark: string;
	readonly exponentZeros: number;
	readonly negativeZero: boolean;
}

function notations(): fc.Arbitrary<Notation> {
	return fc.record({
		shift: fc.oneof(fc.constant(0), exponents()),
		trailingZeros: fc.oneof(fc.constant(0), fc.nat(40)),
		withExponent: fc.boolean(),
		exponentMark: fc.constantFrom("e", "E", "e+", "E+"),
		exponentZeros: fc.nat(2),
		negativeZero: fc.boolean(),
	});
}

/** The number `coefficient` × 10^`exponent`. */
function spell(
	coefficient: bigint,
	exponent: number,
	notation: Notation,
): string {
	const negative =
		coefficient < 0n || (coefficient === 0n && notation.negativeZero);
	const digits = String(coefficient < 0n ? -coefficient : coefficient);
	const right = Math.max(notation.shift, 0);
	// "0" stays "0", since 000 is not JSON.
	const moved =
		digits === "0" ? "0" : digits + "0".repeat(right - notation.shift);
	const padded = moved.padStart(right + 1, "0");
	const whole = padded.slice(0, padded.length - right);
	const fraction =
		padded.slice(padded.length - right) + "0".repeat(notation.trailingZeros);
	return [
		negative ? "-" : "",
		whole,
		fraction === "" ? "" : `.${fraction}`,
		spellExponent(exponent + notation.shift, notation),
	].join("");
}

function spellExponent(exponent: number, notation: Notation): string {
	if (exponent === 0 && !notation.withExponent) return "";
	const mark =
		exponent < 0
			? `${notation.exponentMark.charAt(0)}-`
			: notation.exponentMark;
	return mark + "0".repeat(notation.exponentZeros) + Math.abs(exponent);
}

/** It computes the power, which the service must not do. */
function kindOf(coefficient: bigint, exponent: number): Numeral["kind"] {
	const power = 10n ** BigInt(Math.abs(exponent));
	if (exponent < 0 && coefficient % power !== 0n) return "fraction";
	const value = exponent < 0 ? coefficient / power : coefficient * power;
	return isInt64(value) ? "int64" : "beyond int64";
}

function isInt64(value: bigint): boolean {
	return BigInt.asIntN(64, value) === value;
}
