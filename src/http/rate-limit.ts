// The rate limit: a token bucket for each key, and its headers (draft-ietf-httpapi-ratelimit-headers-10).
import { Failure } from "../domain/errors.ts";

/** The size of the bucket, and how many tokens a period adds. */
export interface Rate {
	readonly requests: number;
	readonly unit: keyof typeof units;
}

/** Takes a token from the bucket of a key, and returns the headers for the reply. Throws `rate_limited` if it is empty. */
export type RateLimiter = (keyHash: string) => RateLimitHeaders;

export type RateLimitHeaders = Readonly<Record<string, string>>;

/** Counts in this process alone. The clock is monotonic, in milliseconds. */
export function createRateLimiter(
	rate: Rate,
	clock: () => number = () => performance.now(),
): RateLimiter {
	const { periodMs } = units[rate.unit];
	const intervalMs = periodMs / rate.requests;
	const policy = `"default";q=${rate.requests};w=${periodMs / 1_000}`;
	/** When each key's bucket is full again. Only valid keys have one, so they are few. */
	const full = new Map<string, number>();

	/** For a bucket that is full after this time. */
	function toHeaders(missingMs: number): RateLimitHeaders {
		const presentMs = periodMs - missingMs + toleranceMs;
		const tokens = Math.floor(presentMs / intervalMs);
		const waitMs = (tokens + 1) * intervalMs - presentMs;
		return {
			"RateLimit-Policy": policy,
			RateLimit: `"default";r=${tokens};t=${Math.ceil(waitMs / 1_000)}`,
		};
	}

	return (keyHash) => {
		const now = clock();
		const fullAt = Math.max(full.get(keyHash) ?? now, now);
		const waitMs = fullAt + intervalMs - periodMs - now;
		if (waitMs > toleranceMs)
			throw refuse(rate, waitMs, toHeaders(fullAt - now));
		full.set(keyHash, fullAt + intervalMs);
		return toHeaders(fullAt + intervalMs - now);
	};
}

/** Reads `100/s`, `600/m` or `5000/h`. */
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

/** Floating-point sums are not exact, and a caller who has waited for Retry-After must pass. */
const toleranceMs = 0.001;

function refuse(
	{ requests, unit }: Rate,
	waitMs: number,
	headers: RateLimitHeaders,
): Failure {
	// Rounded up, so at least one.
	const seconds = Math.ceil((waitMs - toleranceMs) / 1_000);
	return new Failure(
		"rate_limited",
		`Rate limit: ${requests} ${requests === 1 ? "request" : "requests"} ${units[unit].name}; try again after ${seconds} s.`,
		{ headers: { "Retry-After": String(seconds), ...headers } },
	);
}
