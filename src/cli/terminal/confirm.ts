// Asks a question on the terminal.
import { createInterface } from "node:readline";
import { say } from "./print.ts";
import { toPrintable } from "./table.ts";

/** Whether someone can read a question and answer it. */
export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Anything but y or yes means no, even Ctrl-C and Ctrl-D. The question goes to stderr, since stdout is for results. */
export function confirm(question: string): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const terminal = createInterface({
		input: process.stdin,
		output: process.stderr,
	});
	const end = () => {
		// Ends the line of the question.
		say("");
		resolve(false);
	};
	terminal.once("close", end);
	terminal.question(`${toPrintable(question)} [y/N] `, (answer) => {
		terminal.off("close", end);
		resolve(/^y(es)?$/i.test(answer.trim()));
		terminal.close();
	});
	return promise;
}
