// The results as a page: promises first, then all that was measured.
import type { Section } from "./plan.ts";
import { type Promised, promises } from "./promises.ts";
import {
	type Cell,
	type Figure,
	median,
	type Result,
	valuesOf,
} from "./results.ts";

export interface Report {
	readonly results: readonly Result[];
	readonly sections: readonly Section[];
	/** Sentences on when, where and how. */
	readonly circumstances: readonly string[];
	readonly bytesPerAnimal: Readonly<Record<string, number>>;
	readonly chart: string;
}

export function toPage(report: Report): string {
	const { results, sections, circumstances, bytesPerAnimal, chart } = report;
	const titled = sections.map(
		(section) => `## ${section.title}\n\n${toTables(results, section)}`,
	);
	return `# Results

This page is written by \`npm run bench\`.

${circumstances.map((line) => `- ${line}`).join("\n")}

## What must be reached

A figure is the median of its rounds, with the least and the most of them. A ratio is taken round by round.

${toTable(["", "measured", "bound", ""], promises.map(toPromiseRow(results)))}

## Chart

Requests a second; 32 connections, 1,000 animals.

\`\`\`text
${chart}
\`\`\`

${titled.join("\n\n")}

## Space

${toTable(
	["", "bytes an animal, with indexes"],
	Object.entries(bytesPerAnimal).map(([name, bytes]) => [
		name,
		bytes.toFixed(1),
	]),
)}
`;
}

function toPromiseRow(results: readonly Result[]) {
	return (promised: Promised): string[] => {
		const values = promised.values(results);
		const unit = promised.unit === undefined ? "" : ` ${promised.unit}`;
		const { atLeast, atMost, stretch } = promised;
		const bound =
			(atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`) + unit;
		const wish = stretch === undefined ? "" : ` (stretch ${stretch})`;
		return [promised.name, summary(values), bound + wish, verdict(promised)];

		function verdict({ atLeast = 0, atMost = Infinity }: Promised): string {
			if (!isMeasured(values)) return "not measured";
			const value = median(values);
			if (value < atLeast)
				return `**missed by ${percent(1 - value / atLeast)}**`;
			if (value > atMost) return `**missed by ${percent(value / atMost - 1)}**`;
			return stretch !== undefined && value >= stretch
				? "reached, and the stretch"
				: "reached";
		}
	};
}

function percent(share: number): string {
	return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

const figures: readonly { figure: Figure; title: string }[] = [
	{ figure: "rate", title: "Requests a second" },
	{ figure: "p99Ms", title: "p99, milliseconds" },
	{ figure: "loadMb", title: "Resident memory under load, MB" },
];

function toTables(results: readonly Result[], section: Section): string {
	const { targets, trials, animals, connections } = section;
	const cells = trials.flatMap((trial) =>
		animals.flatMap((count) =>
			connections.map((at) => ({ trial, animals: count, connections: at })),
		),
	);
	const tables = figures.map(({ figure, title }) => {
		const rows = cells.map((cell) => [
			...toNames(cell),
			...targets.map((target) =>
				summary(valuesOf(results, { ...cell, target }, figure)),
			),
		]);
		return `${title}:\n\n${toTable(["", "animals", "connections", ...targets], rows)}`;
	});
	const lives = toTable(
		["", "animals", "start to first reply, ms", "resident when idle, MB"],
		targets.flatMap((target) => animals.map(toLife(results, target))),
	);
	return [...tables, `Start:\n\n${lives}`].join("\n\n");
}

function toLife(results: readonly Result[], target: string) {
	return (animals: number): string[] => [
		target,
		animals.toLocaleString("en"),
		summary(valuesOf(results, { target, animals }, "startMs")),
		summary(valuesOf(results, { target, animals }, "idleMb")),
	];
}

function toNames({ trial, animals, connections }: Omit<Cell, "target">) {
	return [trial, animals.toLocaleString("en"), String(connections)];
}

/** The median, with the least and the most. */
function summary(values: readonly number[]): string {
	if (!isMeasured(values)) return "–";
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const middle = toFigure(median(values));
	return values.length === 1
		? middle
		: `${middle} (${toFigure(low)}–${toFigure(high)})`;
}

function isMeasured(values: readonly number[]): boolean {
	return values.length > 0 && values.every(Number.isFinite);
}

function toFigure(value: number): string {
	if (value >= 1_000) return Math.round(value).toLocaleString("en");
	return value >= 10 ? value.toFixed(0) : value.toFixed(2);
}

function toTable(
	head: readonly string[],
	rows: readonly (readonly string[])[],
): string {
	const lines = [head, head.map(() => "---"), ...rows];
	return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
