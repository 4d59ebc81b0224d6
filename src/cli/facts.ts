// Prints named values as lines with aligned values.
import { padTo, toPrintable, widthOf } from "./text-width.ts";

export function toFacts(facts: Readonly<Record<string, string>>): string {
	const width = Math.max(...Object.keys(facts).map(widthOf));
	return Object.entries(facts)
		.map(([name, value]) => `${padTo(name, width)}  ${toPrintable(value)}\n`)
		.join("");
}
