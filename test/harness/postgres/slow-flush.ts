// Delays each flush of a PostgreSQL server to the disk, as disks of clouds do. `commit_delay` would not do: it joins commits.
import { rmSync, writeFileSync } from "node:fs";
import { buildLibrary } from "../c-library.ts";

/** Returns the variables of a server with this delay. */
export function slowFlush(folder: string, ms: number) {
	return buildLibrary(
		`${folder}/slow-flush.so`,
		`#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <unistd.h>
		int fdatasync(int file) {
			do usleep(${ms} * 1000);
			while (access("${toSwitch(folder)}", F_OK) == 0);
			return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
		}`,
	);
}

/** While it runs, no flush of a server with this delay ends. */
export async function stallFlushes(
	{ folder }: { readonly folder: string },
	run: () => Promise<unknown>,
): Promise<void> {
	writeFileSync(toSwitch(folder), "");
	await run().finally(() => rmSync(toSwitch(folder)));
}

const toSwitch = (folder: string) => `${folder}/stalled`;
