// How often a key may ask: a bucket for each, which a request takes from and time fills again.
import { Failure } from "../contract/errors.ts";

/** So many at once, and so many in each period after that. */
export interface Rate {
	readonly requests: number;
	readonly unit: keyof typeof units;
}

/** Refuses with `rate_limited` whoever has asked too often. */
export type LimitRate = (keyHash: string) => void;

/** Counts in this process alone. A clock in milliseconds that nobody can set back. */
export function createLimitRate(
	rate: Rate,
	clock: () => number = () => performance.now(),
): LimitRate {
	const { periodMs } = units[rate.unit];
	const intervalMs = periodMs / rate.requests;
	// When a key's bucket is full again, by hash. An empty one takes a period to fill, so who has not asked for so long
	// needs no entry: each period the older map is let go, whole.
	let recent = new Map<string, number>();
	let older = new Map<string, number>();
	let turnedAt = clock();

	function turn(now: number): void {
		if (now - turnedAt < periodMs) return;
		older = recent;
		recent = new Map();
		turnedAt = now;
	}

	return (keyHash) => {
		const now = clock();
		turn(now);
		const known = recent.get(keyHash) ?? older.get(keyHash) ?? now;
		const fullAt = Math.max(known, now) + intervalMs;
		const waitMs = fullAt - periodMs - now;
		if (waitMs > forgivenMs) throw refuse(rate, waitMs);
		recent.set(keyHash, fullAt);
	};
}

/** `100/s`, `600/m` or `5000/h`, or undefined when the text has no such form. */
export function toRate(text: string): Rate | undefined {
	const [, requests, unit] = /^([1-9]\d{0,5})\/([smh])$/.exec(text) ?? [];
	return unit === "s" || unit === "m" || unit === "h"
		? { requests: Number(requests), unit }
		: undefined;
}

const units = {
	s: { periodMs: 1_000, name: "a second" },
	m: { periodMs: 60_000, name: "a minute" },
	h: { periodMs: 3_600_000, name: "an hour" },
} as const;

/** Sums of fractions are not exact, and who waited as long as told must pass. */
const forgivenMs = 0.001;

function refuse({ requests, unit }: Rate, waitMs: number): Failure {
	// Whole seconds, of which this one has begun: so at least one.
	const seconds = Math.ceil((waitMs - forgivenMs) / 1_000);
	return new Failure(
		"rate_limited",
		`This API key may ask ${requests} times ${units[unit].name}; try again after ${seconds} s.`,
		{ headers: { "Retry-After": String(seconds) } },
	);
}
