// Durations as flags have them: `30s`, `5m`, `12h`, `90d`.

/** In milliseconds; undefined if the text is no duration. */
export function toDuration(text: string): number | undefined {
	const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	return count === undefined || unit === undefined
		? undefined
		: Number(count) * (unitMs[unit] ?? 0);
}

const unitMs: Readonly<Record<string, number>> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};
