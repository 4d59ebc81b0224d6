// What a command gives goes to stdout, what it says to stderr.
import { writeFileSync } from "node:fs";
import { OperatorError } from "../errors.ts";

export function print(text: string): void {
	try {
		writeFileSync(process.stdout.fd, text);
	} catch (error) {
		throw new OperatorError(
			`The output cannot be written: ${error instanceof Error ? error.message : error}.`,
		);
	}
}

export function say(message: string): void {
	console.error(message);
}
