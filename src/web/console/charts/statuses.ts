// The classes of HTTP statuses, as charts and tables count them.
import type { UsageRow } from "../api/usage.ts";
import { rank } from "./periods.ts";
import type { Series } from "./shapes.tsx";

const statusClasses = [
	{ name: "2xx and 3xx", colour: "main", first: 0 },
	{ name: "4xx", colour: "client", first: 400 },
	{ name: "5xx", colour: "server", first: 500 },
] as const;

export function toStatusClass(status = 0) {
	return statusClasses.findLast(({ first }) => status >= first);
}

/** Takes rows by status. The requests of each class, in the order of `statusClasses`. */
export function countByClass(rows: readonly UsageRow[]): readonly number[] {
	const found = rank(rows, ({ status }) => toStatusClass(status));
	return statusClasses.map(
		(one) => found.find(({ name }) => name === one)?.requests ?? 0,
	);
}

/** A series for each class. `counts` has the requests by class, for each part of the time. */
export function toClassSeries(
	counts: readonly (readonly number[])[],
): readonly Series[] {
	return statusClasses.map(({ name, colour }, index) => ({
		name,
		colour,
		values: counts.map((count) => count[index]),
	}));
}
