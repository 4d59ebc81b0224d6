// Writes the tables of docs/reliability.md. Each run replaces only the rows of its own scenarios.
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../harness/process.ts";
import { type ScenarioResult, toRecovery } from "./injection/result.ts";
import type { LoadResult, LoadScenario } from "./load/scenario.ts";
import type { Plant } from "./plants.ts";
import type { Scenario } from "./scenarios.ts";

export function writeScenario(
	scenario: Scenario,
	result: ScenarioResult,
): void {
	const { rounds, acknowledged, lost, doubled, wrong } = result;
	writeRow("fault scenarios", [
		`\`${scenario.name}\``,
		`${scenario.engine}: ${scenario.fault}`,
		...[rounds, acknowledged, lost, doubled, wrong.length].map(toNumeral),
		toRecovery(result),
		`\`${toCommand(scenario, rounds)}\``,
	]);
}

export function writePlanted(planted: Plant, found: string): void {
	writeRow("planted faults", [`\`${planted.caughtBy}\``, planted.name, found]);
}

export function writeLoadScenario(
	{ name, load, size }: LoadScenario,
	done: number,
	{ figures, wrong }: LoadResult,
): void {
	const command = `npm run faults -- --scenario ${name}`;
	writeRow("load scenarios", [
		`\`${name}\``,
		load,
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

/** Replaces the row with the same first cells, or appends a new one. */
function writeRow(table: keyof typeof keyCells, cells: string[]): void {
	const path = `${root}docs/reliability.md`;
	const text = readFileSync(path, "utf8");
	const [begin, end] = [`<!-- ${table} -->\n`, `<!-- /${table} -->`];
	const from = text.indexOf(begin) + begin.length;
	const to = text.indexOf(end);
	const rows = text.slice(from, to).trimEnd().split("\n");
	const row = `| ${cells.join(" | ")} |`;
	const start = `| ${cells.slice(0, keyCells[table]).join(" | ")} |`;
	const place = rows.findIndex((known) => known.startsWith(start));
	rows.splice(place < 0 ? rows.length : place, 1, row);
	writeFileSync(
		path,
		`${text.slice(0, from)}${rows.join("\n")}\n${text.slice(to)}`,
	);
}

/** How many cells identify a row. */
const keyCells = {
	"fault scenarios": 1,
	"planted faults": 2,
	"load scenarios": 1,
};
