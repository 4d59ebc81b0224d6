// Output of commands: results go to stdout, messages to stderr.
import { writeSync } from "node:fs";
import { sleepThread } from "../async/sleep-thread.ts";
import { OperatorError, toReason } from "../contract/errors.ts";
import { toPrintable } from "./text-width.ts";

/** Returns when all of the text is written, however slowly it is read. */
export function print(text: string): void {
	writeAll(stdout, text);
}

/**
 * Not with console.error, which Bun prints in red on a terminal. A message that nobody can read is lost, and changes no outcome. It may have
 * text of others.
 */
export function say(message: string): void {
	const lines = message.split("\n").map(toPrintable);
	try {
		writeAll(stderr, `${lines.join("\n")}\n`);
	} catch {}
}

const stdout = 1;
const stderr = 2;

function writeAll(fd: number, text: string): void {
	for (let rest = Buffer.from(text); rest.length > 0; )
		rest = rest.subarray(writeSome(fd, rest));
}

function writeSome(fd: number, bytes: Uint8Array): number {
	try {
		return writeSync(fd, bytes);
	} catch (error) {
		if (isFull(error)) {
			sleepThread(fullPipeMs);
			return 0;
		}
		throw new OperatorError(
			`The output cannot be written: ${toReason(error)}.`,
		);
	}
}

/** A full pipe. Bun makes them non-blocking, so a write to one fails instead of waiting. */
function isFull(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

const fullPipeMs = 10;

/** Indented, for people and programs. */
export function printJson(value: unknown): void {
	print(toJsonText(value));
}

export function toJsonText(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}
