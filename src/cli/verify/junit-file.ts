// The file of --junit. It is tried before the cases run, so that no result is lost for a wrong path.
import { closeSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { OperatorError, toReason } from "../../contract/errors.ts";

/** An existing file stays as it is, and no new one remains. */
export function requireWritable(file: string): void {
	orRefuse(file, () => {
		const found = statSync(file, { throwIfNoEntry: false });
		// Opening and closing a pipe would end it for its reader.
		if (found?.isFIFO()) return;
		closeSync(openSync(file, "a"));
		if (found === undefined) rmSync(file);
	});
}

export function writeReport(file: string, text: string): void {
	orRefuse(file, () => writeFileSync(file, text));
}

function orRefuse(file: string, write: () => void): void {
	try {
		write();
	} catch (error) {
		throw new OperatorError(
			`--junit ${file} cannot be written: ${toReason(error)}.`,
			2,
		);
	}
}
