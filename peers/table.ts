// The table of other servers in docs/conformance.md.
import { replaceMarked } from "../harness/marked.ts";
import type { Verdict } from "./judge.ts";
import type { Peer } from "./peers.ts";

export interface Row {
	readonly peer: Pick<Peer, "usage">;
	readonly verdict: Verdict;
}

/** Returns the document with the new table between its marks. */
export function withTable(
	document: string,
	rows: readonly Row[],
	day: string,
): string {
	return replaceMarked(document, "other servers", toTable(rows, day));
}

function toTable(rows: readonly Row[], day: string): string {
	return `Run on ${day}. The number after a cause counts the failures that it explains.

| Server | \`--contract-only\` | Causes of the failures |
|---|---|---|
${rows.map(toRow).join("\n")}
`;
}

function toRow({ peer, verdict }: Row): string {
	const { passed, failed, causes } = verdict;
	const explained = causes.map(({ text, count }) =>
		text.replace(/\.$/, ` (${count}).`),
	);
	return `| ${peer.usage} | ${passed} passed, ${failed} failed | ${explained.join(" ")} |`;
}
