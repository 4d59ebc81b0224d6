// Metrics in the text format of Prometheus, version 0.0.4.
import { type Family, families } from "./families.ts";
import type { Snapshot } from "./snapshot.ts";

export const metricsMediaType = "text/plain; version=0.0.4; charset=utf-8";

export function toMetricsText({ totals, gauges }: Snapshot): string {
	const samples = [
		...Object.entries(totals),
		...Object.entries(gauges).map(([name, gauge]) => [name, [gauge]] as const),
	];
	return Object.entries<Family>(families)
		.map(([name, family]) =>
			toFamilyText(
				name,
				family,
				samples.filter(([sample]) => splitName(sample).name === name),
			),
		)
		.join("");
}

type Sample = readonly [name: string, numbers: readonly number[]];

/** Nothing if there are no samples. */
function toFamilyText(
	name: string,
	{ type, help, bounds }: Family,
	samples: readonly Sample[],
): string {
	if (samples.length === 0) return "";
	const lines = samples.flatMap(([sample, numbers]) =>
		bounds === undefined
			? [`${sample} ${numbers[0] ?? 0}`]
			: toHistogram(sample, bounds, numbers),
	);
	return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n")}\n`;
}

/** The counts of a histogram are cumulative: each includes all below it. */
function toHistogram(
	sample: string,
	bounds: readonly number[],
	numbers: readonly number[],
): string[] {
	const { name, labels } = splitName(sample);
	const inner = labels === "" ? "" : `${labels},`;
	const outer = labels === "" ? "" : `{${labels}}`;
	let count = 0;
	const buckets = [...bounds, "+Inf"].map((bound, index) => {
		count += numbers[index] ?? 0;
		return `${name}_bucket{${inner}le="${bound}"} ${count}`;
	});
	return [
		...buckets,
		`${name}_sum${outer} ${numbers.at(-1) ?? 0}`,
		`${name}_count${outer} ${count}`,
	];
}

function splitName(sample: string): { name: string; labels: string } {
	const [, name = sample, labels = ""] = /^(\w+)\{(.*)\}$/s.exec(sample) ?? [];
	return { name, labels };
}
