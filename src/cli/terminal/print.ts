// What commands print: results go to stdout, messages and questions to stderr.
import { writeSync } from "node:fs";
import { sleepThread } from "../../domain/async.ts";
import { Failure, OperatorError, toReason } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toPrintable } from "../../domain/text.ts";
import { isTerminal } from "../../program.ts";

/** Blocks until all text is written, however slow the reader is, or the reader has closed the pipe. */
export function print(text: string): void {
	orExplain(cannotPrint, () => {
		try {
			writeAll(stdout, Buffer.from(text));
		} catch (error) {
			if (!isReaderGone(error)) throw error;
		}
	});
}

/** The reader has closed the pipe, as in `petstore export | head`. */
export function isReaderGone(error: unknown): boolean {
	return hasCode(error, "EPIPE");
}

function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Not console.error, which Bun prints in red on a terminal. A failed write changes no outcome. Escapes control characters, which foreign
 * text may contain.
 */
export function say(message: string): void {
	const lines = message.split("\n").map(toPrintable);
	try {
		writeAll(stderr, Buffer.from(`${lines.join("\n")}\n`));
	} catch {}
}

/** Tells every few seconds how many animals a long command has done: on a terminal by default. Call it with their number. */
export function createProgress(isQuiet = false, tell = sayOnTerminal) {
	let toldAt = performance.now();
	return (count: number): void => {
		if (isQuiet || performance.now() - toldAt < progressMs) return;
		toldAt = performance.now();
		tell(count);
	};
}

function sayOnTerminal(animals: number): void {
	if (isTerminal(stderr)) say(`${toQuantity(animals, "animal")} so far.`);
}

const progressMs = 5_000;

const stdout = 1;
const stderr = 2;

/** Blocks while a pipe is full. */
function writeAll(fd: number, bytes: Uint8Array): void {
	for (let rest = bytes; rest.length > 0; ) {
		try {
			rest = rest.subarray(writeSync(fd, rest));
		} catch (error) {
			// Bun makes pipes non-blocking.
			if (!hasCode(error, "EAGAIN")) throw error;
			sleepThread(fullPipeMs);
		}
	}
}

const fullPipeMs = 10;

/** What an expected error says, with its cause. */
export function toSentence(error: unknown): string | undefined {
	if (error instanceof OperatorError) return error.message;
	if (!(error instanceof Failure)) return undefined;
	const { message, cause } = error;
	return cause instanceof Error ? `${message} (${cause.message})` : message;
}

export const cannotPrint = "The output cannot be written";

/** The result of `work`. If it throws, fails with `problem` and the reason: "a.csv cannot be read: permission denied." */
export function orExplain<Result>(
	problem: string,
	work: () => Result,
	exitStatus: 1 | 2 = 1,
): Result {
	try {
		return work();
	} catch (error) {
		throw new OperatorError(`${problem}: ${toReason(error)}.`, exitStatus);
	}
}

/** Whether someone can read a question and answer it. */
export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on a terminal. Without a yes, ends the command with the sentence `nothing`. */
export async function requireYes(
	question: string,
	nothing: string,
	exitStatus: 1 | 2 = 1,
): Promise<void> {
	if (canAsk() && !(await confirm(question)))
		throw new OperatorError(nothing, exitStatus);
}

/** Anything but y or yes means no, even Ctrl-C and Ctrl-D. The question goes to stderr, since stdout is for results. */
async function confirm(question: string): Promise<boolean> {
	const { createInterface } = await import("node:readline");
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

/** The address is printed too, so a failure needs no message. */
export function openBrowser(url: string): void {
	try {
		Bun.spawn(["xdg-open", url], {
			stdio: ["ignore", "ignore", "ignore"],
			detached: true,
		}).unref();
	} catch {}
}
