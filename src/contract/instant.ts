// A point in time in a query parameter: RFC 3339, in milliseconds since 1970 once it was read.
import { invalid, type Parameter } from "./parameter.ts";

export function instant(options: {
	name: string;
	description: string;
}): Parameter<number | undefined> {
	return {
		...options,
		schema: { type: "string", format: "date-time" },
		addition: false,
		read(text) {
			if (text === undefined) return undefined;
			const at = toInstant(text);
			if (at !== undefined) return at;
			throw invalid(
				options.name,
				"must be a time like 2026-11-16T08:30:00Z, as RFC 3339 has it",
			);
		},
	};
}

/** Undefined if the text is no such time. A plus sign arrives as a space where a client has not encoded it. */
export function toInstant(text: string): number | undefined {
	const [, day, time, zone] = rfc3339.exec(text) ?? [];
	if (day === undefined || time === undefined || zone === undefined)
		return undefined;
	// A day that the month does not have would become one of the next month.
	const midnight = Date.parse(`${day}T00:00:00Z`);
	if (Number.isNaN(midnight) || !toIso(midnight).startsWith(day))
		return undefined;
	const at = Date.parse(
		`${day}T${time}${zone.replace(" ", "+").toUpperCase()}`,
	);
	return Number.isNaN(at) ? undefined : at;
}

export function toIso(at: number): string {
	return new Date(at).toISOString();
}

const rfc3339 =
	/^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+ -]\d\d:\d\d)$/;
