// Times as text: RFC 3339. Inside the service they are milliseconds since 1970.

/** In UTC, with milliseconds. */
export function toTimeText(time: number): string {
	return new Date(time).toISOString();
}

export const timeRule =
	"must be a time of RFC 3339 with an offset, before the year 10000 in UTC, like 2027-01-31T00:00:00Z";

/**
 * Undefined unless the text is an RFC 3339 time with date, seconds and offset, and has a year of four digits in UTC too. Digits after
 * milliseconds are dropped.
 */
export function readTime(text: string): number | undefined {
	const [, day] =
		/^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
			text,
		) ?? [];
	if (day === undefined || !isDay(day)) return undefined;
	const time = Date.parse(text.toUpperCase());
	const year = new Date(time).getUTCFullYear();
	return year >= 0 && year <= 9999 ? time : undefined;
}

/** For 31 February, Date gives an invalid date or one in the next month. */
export function isDay(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
	const midnight = new Date(`${text}T00:00:00Z`);
	return (
		!Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
	);
}

/** For people: to the minute. */
export function toTimeAndAge(at: number): string {
	const [day, time] = toTimeText(at).split("T");
	return `${day} ${time?.slice(0, 5)} UTC (${toAge(at)})`;
}

/** In the largest unit: `3h ago`, `in 90d`. */
export function toAge(at: number): string {
	const ms = Math.abs(at - Date.now());
	const [unit, length] = units.find(([, length]) => ms >= length) ?? [];
	if (length === undefined || unit === "s") return "now";
	const age = `${Math.round(ms / length)}${unit}`;
	return at > Date.now() ? `in ${age}` : `${age} ago`;
}

export const durationRule = "must be a duration like 30s, 5m, 12h or 90d";

/** In milliseconds; undefined if the text is no duration. */
export function readDuration(text: string): number | undefined {
	if (text === "0") return 0;
	const [, count, name] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	const [, length] = units.find(([unit]) => unit === name) ?? [];
	return length === undefined ? undefined : Number(count) * length;
}

/** In the largest unit that gives a whole number. */
export function toDurationText(ms: number): string {
	const [unit, length] = units.find(([, length]) => ms % length === 0) ?? [];
	return ms === 0 || length === undefined ? `${ms}` : `${ms / length}${unit}`;
}

const units = [
	["d", 86_400_000],
	["h", 3_600_000],
	["m", 60_000],
	["s", 1_000],
] as const;
