// Output of commands: results go to stdout, messages to stderr.
import type { Awaitable } from "../../async/awaitable.ts";
import { sleepThread } from "../../async/waiting.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { writeSome } from "../../log/output.ts";
import { orExplain } from "../or-explain.ts";
import { toPrintable } from "./table.ts";

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

/** For text that cannot be printed again, like the secret of a new key: fails even if the reader has closed the pipe. */
export function printOrFail(text: string): void {
	orExplain(cannotPrint, () => writeAll(stdout, Buffer.from(text)));
}

/** For a secret that is shown only once: if it cannot be printed, undoes what made it. */
export async function printOnce(
	text: string,
	undo: () => Awaitable<unknown>,
): Promise<void> {
	try {
		printOrFail(text);
	} catch (error) {
		await undo();
		throw error;
	}
}

/** The reader has closed the pipe, as in `petstore export | head`. */
export function isReaderGone(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
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

/** Says every few seconds how many animals a long command has done. Call it with their number. */
export function createProgress(isQuiet = false): (count: number) => void {
	let saidAt = performance.now();
	return (count) => {
		if (isQuiet || performance.now() - saidAt < progressMs) return;
		saidAt = performance.now();
		say(`${toQuantity(count, "animal")} so far.`);
	};
}

const progressMs = 5_000;

const stdout = 1;
const stderr = 2;

/** Blocks while a pipe is full. */
export function writeAll(fd: number, bytes: Uint8Array): void {
	for (let rest = bytes; rest.length > 0; ) {
		const written = writeSome(fd, rest);
		rest = rest.subarray(written);
		if (written === 0) sleepThread(fullPipeMs);
	}
}

const fullPipeMs = 10;

export const cannotPrint = "The output cannot be written";

export function printJson(value: unknown): void {
	print(toJsonText(value));
}

export function toJsonText(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}
