// Reads the metrics of a service, and checks them with promtool if it is installed.
import { spawnSync } from "node:child_process";

/** The samples by name with labels. */
export type Samples = ReadonlyMap<string, number>;

export async function readMetrics(url: string, key: string): Promise<Samples> {
	const response = await fetch(`${url}/metrics`, {
		keepalive: false,
		headers: { Authorization: `Bearer ${key}` },
	});
	const text = await response.text();
	if (response.status !== 200) throw new Error(text);
	return toSamples(text);
}

export function toSamples(text: string): Samples {
	return new Map(
		text
			.split("\n")
			.filter((line) => line !== "" && !line.startsWith("#"))
			.map((line) => {
				const end = line.lastIndexOf(" ");
				return [line.slice(0, end), Number(line.slice(end + 1))];
			}),
	);
}

/** The sum of the samples whose name starts with this text and contains these parts. */
export function sumOf(
	samples: Samples,
	start: string,
	...parts: string[]
): number {
	let sum = 0;
	for (const [name, value] of samples)
		if (name.startsWith(start) && parts.every((part) => name.includes(part)))
			sum += value;
	return sum;
}

export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** The complaints of promtool; empty if it has none. */
export function runPromtool(args: readonly string[], input = ""): string {
	const ran = spawnSync("promtool", args, { input, encoding: "utf8" });
	// promtool prints its success to stdout, and warnings to stderr.
	return ran.status === 0 ? ran.stderr : ran.stdout + ran.stderr;
}
