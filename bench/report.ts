// Writes results as tables in Markdown: one for each figure, or one with the differences of two contenders.
import { cpus, release, totalmem } from "node:os";
import type { Contender } from "./contenders.ts";
import { connections } from "./load.ts";
import type { Result } from "./measure.ts";

export function describeRun(
	begun: Date,
	contenders: readonly Contender[],
	pairs: number,
): string {
	const args = process.argv.slice(2);
	const command = [
		"npm run bench",
		...(args.length > 0 ? ["--"] : []),
		...args,
	];
	const minutes = Math.ceil((Date.now() - begun.getTime()) / 60_000);
	return `# Results

\`${command.join(" ")}\`, ${begun.toISOString().slice(0, 10)}, ${minutes} min.

- ${cpus().length} cores, ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release().split("-", 1)}, Bun ${Bun.version}.
- ${contenders.map(({ name }) => name).join(", ")}, in turn. Each trial starts new processes, ${pairs} times. The server has a core of its own; wrk and PostgreSQL have the others. Rows with copies share all cores.
- ${connections} connections and 1,000 animals, unless a row says otherwise. *CPU second* is processor time of the server's process.
- Figures are medians.
`;
}

/** A table for each figure, with a row for each trial and a column for each contender. Cells have the lowest and highest in parentheses. */
export function toTables(
	results: readonly Result[],
	contenders: readonly Contender[],
): string {
	const names = contenders.map(({ name }) => name);
	const tables = figuresOf(results).map((figure) => {
		const rows = results
			.map(({ trial, pairs }) => [
				trial,
				...names.map((name) => toCell(valuesOf(pairs.get(name), figure))),
			])
			.filter(([, ...cells]) => cells.some((cell) => cell !== "–"));
		const used = names.filter((_, index) =>
			rows.some((cells) => cells[index + 1] !== "–"),
		);
		const shown = rows.map(([trial = "", ...cells]) => [
			trial,
			...cells.filter((_, index) => used.includes(names[index] ?? "")),
		]);
		return `## ${figure}\n\n${toTable(["", ...used], shown)}\n`;
	});
	return tables.join("\n");
}

/** One table: the medians of both contenders, and how the second differs from the first in the same pair. */
export function toComparison(
	results: readonly Result[],
	[first, second]: readonly Contender[],
): string {
	const [firstName = "", secondName = ""] = [first?.name, second?.name];
	const rows = results.flatMap((result) =>
		figuresOf([result]).map((figure) => {
			const before = valuesOf(result.pairs.get(firstName), figure);
			const after = valuesOf(result.pairs.get(secondName), figure);
			const changes = after
				.map((value, pair) => 100 * (value / (before[pair] ?? 0) - 1))
				.toSorted((a, b) => a - b);
			return [
				`${result.trial}: ${figure}`,
				...[before, after].map((values) => toNumber(median(values))),
				toPercent(median(changes)),
				toRange(changes),
			];
		}),
	);
	const header = ["change", "lowest to highest"];
	return `${toTable(["", firstName, secondName, ...header], rows)}\n`;
}

function figuresOf(results: readonly Result[]): readonly string[] {
	const all = results.flatMap(({ pairs }) => [...pairs.values()].flat());
	return [...new Set(all.flatMap(Object.keys))];
}

function valuesOf(
	pairs: readonly Readonly<Record<string, number>>[] = [],
	figure: string,
): readonly number[] {
	return pairs.flatMap((figures) => figures[figure] ?? []);
}

function toCell(values: readonly number[]): string {
	if (values.length === 0) return "–";
	const range = `${toNumber(Math.min(...values))}–${toNumber(Math.max(...values))}`;
	return `${toNumber(median(values))} (${range})`;
}

function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}

function toNumber(value: number): string {
	const digits = value < 100 ? 1 : 0;
	return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function toPercent(change: number): string {
	return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(1)} %`;
}

function toRange(sorted: readonly number[]): string {
	const [first = Number.NaN] = sorted;
	return `${toPercent(first)} to ${toPercent(sorted.at(-1) ?? Number.NaN)}`;
}

function toTable(
	header: readonly string[],
	rows: readonly (readonly string[])[],
): string {
	const lines = [header, header.map(() => "---"), ...rows];
	return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
