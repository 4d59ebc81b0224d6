// The metrics of one process at one time, or their sum over several processes.
import { addNumbers } from "../../store/usage/rows.ts";
import { type FamilyName, families } from "./families.ts";

/** By metric name with labels: one number for a counter or gauge; for a histogram its buckets, then the sum. */
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

/** Without gauges, which describe a running process. */
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

/** One entry for each member of `values`, whose name is the value of the label. */
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
