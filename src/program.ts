// How this program was started, where its files are, and where the system describes processes. Bun runs it from its source, or it is an
// executable that has all of it in one file.
declare const PETSTORE_COMMIT: string;

/** The commit that an executable was built from. Its build puts the value here. */
export const commit =
	typeof PETSTORE_COMMIT === "string" ? PETSTORE_COMMIT : undefined;

/** The command that starts this program again, with the same arguments. */
export function toOwnCommand(): readonly [program: string, ...string[]] {
	const { execPath, execArgv, argv } = process;
	// The first two are not arguments in an executable either: Bun puts its name and a path inside the executable there.
	return Bun.isStandaloneExecutable
		? [execPath, ...argv.slice(2)]
		: [execPath, ...execArgv, ...argv.slice(1)];
}

/** Where a file or a folder of the program is, by its path in the project. In an executable that is beside this code, which is one file. */
export function locate(path: string): URL {
	return Bun.isStandaloneExecutable
		? new URL(path.replace(/\.ts$/, ".js"), import.meta.url)
		: new URL(`../${path}`, import.meta.url);
}

/**
 * Where Linux describes processes, their files and their sockets. On Windows that path is on the current drive, where anyone may have made
 * such a folder, so there it is one that cannot exist.
 */
export function toProc(platform: string = process.platform): string {
	return platform === "win32" ? "/proc?" : "/proc";
}
