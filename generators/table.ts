// The table of tools in docs/generators.md.
import { replaceMarked } from "../harness/marked.ts";
import type { Outcome } from "./judges.ts";
import type { Tool } from "./tools.ts";

export interface Row {
	readonly tool: Pick<Tool, "usage" | "command" | "note">;
	readonly outcome: Outcome;
	readonly day: string;
}

/** Returns the document with the new table between its marks. */
export function withTable(document: string, rows: readonly Row[]): string {
	return replaceMarked(
		document,
		"tools",
		`| Tool | Date | Command | Result | int64 | What to watch for |
|---|---|---|---|---|---|
${rows.map(toRow).join("\n")}
`,
	);
}

function toRow({ tool, outcome, day }: Row): string {
	const cells = [
		tool.usage,
		day,
		`\`${tool.command}\``,
		outcome.result,
		outcome.int64,
		tool.note,
	];
	// A bar would end the cell.
	return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
