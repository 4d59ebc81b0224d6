// When a revoked key can be forgotten: deleted for good, with its name and all about it but its usage.

/** Long enough to notice that it was the wrong key, and much longer than its Idempotency-Keys are kept. */
export const forgetAfterMs = 30 * 24 * 60 * 60 * 1000;

export function canForget(
	{ revokedAt }: { readonly revokedAt: number | undefined },
	now: number,
): boolean {
	return revokedAt !== undefined && revokedAt <= now - forgetAfterMs;
}
