// The tables of docs/reliability.md, of which each run writes its own lines.
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../harness/process.ts";
import type { Plant } from "./plants.ts";
import type { Scenario } from "./scenarios.ts";
import type { Bearing, Strain } from "./strain.ts";
import { type Tally, toRecovery } from "./tally.ts";

export function writeTally(scenario: Scenario, tally: Tally): void {
	const { rounds, acknowledged, lost, doubled, wrong } = tally;
	writeLine("tallies", [
		`\`${scenario.name}\``,
		`${scenario.engine}: ${scenario.breaks}`,
		...[rounds, acknowledged, lost, doubled, wrong.length].map(toNumeral),
		toRecovery(tally),
		`\`${toCommand(scenario, rounds)}\``,
	]);
}

export function writeCatch(planted: Plant, caught: string): void {
	writeLine("catches", [`\`${planted.caughtBy}\``, planted.name, caught]);
}

export function writeBearing(
	{ name, strain, size }: Strain,
	done: number,
	{ figures, wrong }: Bearing,
): void {
	const command = `npm run faults -- --scenario ${name}`;
	writeLine("bearings", [
		`\`${name}\``,
		strain,
		`${toNumeral(done)} ${size.unit}`,
		figures.join("; "),
		toNumeral(wrong.length),
		`\`${done === size.record ? command : `${command} --size ${done}`}\``,
	]);
}

function toCommand({ name, rounds }: Scenario, done: number): string {
	const command = `npm run faults -- --scenario ${name}`;
	return done === rounds.record ? command : `${command} --rounds ${done}`;
}

function toNumeral(count: number): string {
	return count.toLocaleString("en");
}

/** In place of the line with the same first cells, or as a new one. */
function writeLine(table: keyof typeof keyCells, cells: string[]): void {
	const path = `${root}docs/reliability.md`;
	const text = readFileSync(path, "utf8");
	const [begin, end] = [`<!-- ${table} -->\n`, `<!-- /${table} -->`];
	const from = text.indexOf(begin) + begin.length;
	const to = text.indexOf(end);
	const lines = text.slice(from, to).trimEnd().split("\n");
	const line = `| ${cells.join(" | ")} |`;
	const start = `| ${cells.slice(0, keyCells[table]).join(" | ")} |`;
	const place = lines.findIndex((known) => known.startsWith(start));
	lines.splice(place < 0 ? lines.length : place, 1, line);
	writeFileSync(
		path,
		`${text.slice(0, from)}${lines.join("\n")}\n${text.slice(to)}`,
	);
}

/** How many cells tell a line from the others. */
const keyCells = { tallies: 1, catches: 2, bearings: 1 };
