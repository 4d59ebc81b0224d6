// Asks a question on the terminal.
import { createInterface } from "node:readline";
import { say } from "./print.ts";
import { toPrintable } from "./table.ts";

/** Whether someone can read a question and answer it. */
export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Anything but y or yes means no, even Ctrl-C and Ctrl-D. The question goes to stderr, since stdout is for results. */
export async function confirm(question: string): Promise<boolean> {
	const terminal = createInterface({
		input: process.stdin,
		output: process.stderr,
		prompt: `${toPrintable(question)} [y/N] `,
	});
	terminal.prompt();
	for await (const answer of terminal) return /^y(es)?$/i.test(answer.trim());
	// Ends the line of the question.
	say("");
	return false;
}
