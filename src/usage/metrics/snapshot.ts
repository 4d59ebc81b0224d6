// The metrics of one process at one time, or their sum over several processes.
import { addNumbers } from "../../store/usage/rows.ts";
import { type FamilyName, families } from "./families.ts";

/** By the name of the metric with its labels: the number of a counter or gauge; of a histogram the numbers by bound, then the sum. */
export type Snapshot = Readonly<Record<string, readonly number[]>>;

export const noMetrics: Snapshot = {};

export function addSnapshots(snapshots: readonly Snapshot[]): Snapshot {
	const sum: Record<string, readonly number[]> = {};
	for (const [name, numbers] of snapshots.flatMap(
		Object.entries<Snapshot[string]>,
	))
		sum[name] = addNumbers(numbers, sum[name] ?? []);
	return sum;
}

/** Gauges rise and fall, so an ended process has none. */
export function toEnded(snapshot: Snapshot): Snapshot {
	const kept = Object.entries(snapshot).filter(
		([sample]) => !gauges.has(splitName(sample).name),
	);
	return Object.fromEntries(kept);
}

const gauges = new Set(
	Object.entries(families)
		.filter(([, { type }]) => type === "gauge")
		.map(([name]) => name),
);

/** One entry for each member, with the name of the member as its label. */
export function withLabel<Value>(
	family: FamilyName,
	label: string,
	values: Readonly<Record<string, Value>>,
	toNumbers: (value: Value) => readonly number[],
): Snapshot {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			withLabels(family, { [label]: name }),
			toNumbers(value),
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

export function splitName(sample: string): { name: string; labels: string } {
	const [, name = sample, labels = ""] = /^(\w+)\{(.*)\}$/s.exec(sample) ?? [];
	return { name, labels };
}
