// Builds shim.c for one run, and switches its faults on and off.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
	const library = `${folder}/shim.so`;
	const built = spawnSync(
		"cc",
		["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"],
		{ encoding: "utf8" },
	);
	if (built.status !== 0)
		throw new Error(`cc cannot build faults/disk/shim.c: ${built.stderr}`);
	const recordPath = `${folder}/record`;
	return {
		env: { LD_PRELOAD: library, FAULTS_FOLDER: folder },
		recordPath,
		beginRecord: () => writeFileSync(recordPath, ""),
		switchOn: (fault) => writeFileSync(`${folder}/${fault}`, ""),
		switchOff: (fault) => rmSync(`${folder}/${fault}`, { force: true }),
	};
}

/** Why the shim does not work here, or undefined. */
export function shimSkipReason(): string | undefined {
	if (process.platform !== "linux") return "disk faults need Linux";
	return spawnSync("cc", ["--version"]).status === 0
		? undefined
		: "disk faults need a C compiler (cc)";
}

const source = fileURLToPath(new URL("shim.c", import.meta.url));
