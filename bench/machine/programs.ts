// Which programs the machine has, and one that makes its disk slow.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function isInstalled(program: string): boolean {
	const folders = (process.env.PATH ?? "").split(delimiter);
	return folders.some((folder) => {
		try {
			accessSync(join(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

/** Delays every sync. With -D strace is not the parent of the server, so the process that was started is the server itself. */
export const slowDisk = [
	...["strace", "-D", "-f", "--seccomp-bpf", "-o", "/dev/null"],
	...["-e", "trace=fsync,fdatasync"],
	...["-e", "inject=fsync,fdatasync:delay_exit=5000"],
];
