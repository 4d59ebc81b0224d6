// The shim of shim.c, built for one run, and the switches of its faults.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Shim {
	/** For a process that runs on it. */
	readonly env: Readonly<Record<string, string>>;
	/** Where the calls of the processes to come are written, once it was begun. */
	readonly recordPath: string;
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
		throw new Error(`cc cannot build faults/shim.c: ${built.stderr}`);
	const recordPath = `${folder}/record`;
	return {
		env: { LD_PRELOAD: library, FAULTS_FOLDER: folder },
		recordPath,
		beginRecord: () => writeFileSync(recordPath, ""),
		switchOn: (fault) => writeFileSync(`${folder}/${fault}`, ""),
		switchOff: (fault) => rmSync(`${folder}/${fault}`, { force: true }),
	};
}

/** Why it cannot be used on this machine. */
export function whyNoShim(): string | undefined {
	if (process.platform !== "linux") return "faults of the disk need Linux";
	return spawnSync("cc", ["--version"]).status === 0
		? undefined
		: "faults of the disk need a C compiler, cc";
}

const source = fileURLToPath(new URL("shim.c", import.meta.url));
