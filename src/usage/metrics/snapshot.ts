// The metrics of one process at one time, or their sum over several processes.
import { addNumbers } from "../../store/usage/rows.ts";
import type { FamilyName } from "./families.ts";

export interface Snapshot {
	/** What only rises, by the name of the metric with its labels: the number of a counter; of a histogram the numbers by bound, then the sum. */
	readonly totals: Readonly<Record<string, readonly number[]>>;
	/** What rises and falls. */
	readonly gauges: Readonly<Record<string, number>>;
}

export const noMetrics: Snapshot = { totals: {}, gauges: {} };

export function addSnapshots(snapshots: readonly Snapshot[]): Snapshot {
	const totals: Record<string, readonly number[]> = {};
	const gauges: Record<string, number> = {};
	for (const snapshot of snapshots) {
		for (const [name, numbers] of Object.entries(snapshot.totals))
			totals[name] = addNumbers(numbers, totals[name] ?? []);
		for (const [name, gauge] of Object.entries(snapshot.gauges))
			gauges[name] = (gauges[name] ?? 0) + gauge;
	}
	return { totals, gauges };
}

export function toEnded({ totals }: Snapshot): Snapshot {
	return { totals, gauges: {} };
}

/** One entry for each member, with the name of the member as its label. */
export function withLabel<Value, Result>(
	family: FamilyName,
	label: string,
	values: Readonly<Record<string, Value>>,
	toResult: (value: Value) => Result,
): Record<string, Result> {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			withLabels(family, { [label]: name }),
			toResult(value),
		]),
	);
}

/** The name of a metric with its labels, as Prometheus writes it. */
export function withLabels(
	name: string,
	labels: Readonly<Record<string, string | number>>,
): string {
	const pairs = Object.entries(labels).map(
		([label, value]) => `${label}="${escapeValue(String(value))}"`,
	);
	return `${name}{${pairs.join(",")}}`;
}

function escapeValue(value: string): string {
	return value.replace(/["\\\n]/g, (character) =>
		character === "\n" ? "\\n" : `\\${character}`,
	);
}
