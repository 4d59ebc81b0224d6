// Output of commands: results go to stdout, messages to stderr.
import { writeSync } from "node:fs";
import { OperatorError, toReason } from "../contract/errors.ts";

/** Returns when all of the text is written, however slowly it is read. */
export function print(text: string): void {
	for (let rest = Buffer.from(text); rest.length > 0; )
		rest = rest.subarray(writeSome(rest));
}

function writeSome(bytes: Uint8Array): number {
	try {
		return writeSync(process.stdout.fd, bytes);
	} catch (error) {
		if (isFull(error)) {
			Atomics.wait(neverNotified, 0, 0, fullPipeMs);
			return 0;
		}
		throw new OperatorError(
			`The output cannot be written: ${toReason(error)}.`,
		);
	}
}

/** A full pipe. Bun makes stdout non-blocking, so a write to it fails instead of waiting. */
function isFull(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

const fullPipeMs = 10;
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** Indented, for people and programs. */
export function printJson(value: unknown): void {
	print(toJsonText(value));
}

export function toJsonText(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}

export function say(message: string): void {
	console.error(message);
}
