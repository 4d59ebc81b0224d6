// Reads the metrics of a service, and checks them with Prometheus' own tool where it is installed.
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

/** The sum of the samples whose name begins with this text and has these parts. */
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

/** What promtool complains about: nothing if all is well. */
export function runPromtool(args: readonly string[], input = ""): string {
	const ran = spawnSync("promtool", args, { input, encoding: "utf8" });
	// It writes its praise to stdout, and warnings that are no errors to stderr.
	return ran.status === 0 ? ran.stderr : ran.stdout + ran.stderr;
}
