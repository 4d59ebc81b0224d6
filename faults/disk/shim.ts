// Builds shim.c for one run, and switches its faults on and off.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildLibrary } from "../../test/harness/c-library.ts";

export interface Shim {
	/** Makes a process use the shim. */
	readonly env: Readonly<Record<string, string>>;
	/** Gets the calls of every process that starts after `beginRecord`. */
	readonly recordPath: string;
	/** Creates the file, or empties it. */
	readonly beginRecord: () => void;
	readonly switchOn: (fault: DiskFault) => void;
	readonly switchOff: (fault: DiskFault) => void;
}

export type DiskFault =
	| "no-space"
	| "no-write"
	| "no-sync"
	| "no-database-sync";

export function buildShim(folder: string): Shim {
	const text = readFileSync(source, "utf8");
	const built = buildLibrary(`${folder}/shim.so`, text);
	const recordPath = `${folder}/record`;
	return {
		env: { ...built, FAULTS_FOLDER: folder },
		recordPath,
		beginRecord: () => writeFileSync(recordPath, ""),
		switchOn: (fault) => writeFileSync(`${folder}/${fault}`, ""),
		switchOff: (fault) => rmSync(`${folder}/${fault}`, { force: true }),
	};
}

const source = fileURLToPath(new URL("shim.c", import.meta.url));
