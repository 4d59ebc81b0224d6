// Reads the metrics of a service.

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
