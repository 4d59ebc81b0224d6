// The metrics of this process at one time.
import type { FamilyName } from "./families.ts";

/** By metric name with labels: one number for a counter or gauge; for a histogram its buckets, then the sum. */
export type Snapshot = Readonly<Record<string, readonly number[]>>;

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
