// The value of `--expires`: a duration like `90d`, or a date.

/** In milliseconds since 1970; undefined if the text is neither. */
export function toExpiry(text: string, now: number): number | undefined {
	const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	if (count !== undefined && unit !== undefined)
		return now + Number(count) * (unitMs[unit] ?? 0);
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
	const midnight = new Date(`${text}T00:00:00Z`);
	// A day that the month does not have gives an invalid date, or one in the next month.
	return Number.isNaN(midnight.getTime()) ||
		!midnight.toISOString().startsWith(text)
		? undefined
		: midnight.getTime();
}

const unitMs: Readonly<Record<string, number>> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};
