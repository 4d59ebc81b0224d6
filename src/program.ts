// How this program was started, where its files are, and where Linux describes processes. Bun runs its source, the bundle in dist/, which
// starts faster, or a single-file executable.
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

declare const PETSTORE_COMMIT: string;

/** The commit of an executable, set by its build. */
export const commit =
	typeof PETSTORE_COMMIT === "string" ? PETSTORE_COMMIT : undefined;

/** The command that starts this program again, with the same arguments. */
export function toOwnCommand(): readonly [program: string, ...string[]] {
	const { execPath, execArgv, argv } = process;
	// An executable, too, has two entries before its arguments: a name and a path inside the executable.
	return Bun.isStandaloneExecutable
		? [execPath, ...argv.slice(2)]
		: [execPath, ...execArgv, ...argv.slice(1)];
}

/** Another command of this program, for a child process with this environment and `variables`. */
export function toOtherCommand(
	words: readonly string[],
	variables: Readonly<Record<string, string>>,
) {
	const start = Bun.isStandaloneExecutable
		? []
		: [
				// The flags of bin/petstore.
				...["--no-env-file", "--no-install"],
				`--config=${fileURLToPath(locate("bin/bunfig.toml"))}`,
				fileURLToPath(locate("src/cli/main.ts")),
			];
	return {
		program: process.execPath,
		args: [...start, ...words],
		env: { ...process.env, ...variables },
	};
}

/** A command as a person types it, for pages and messages. `words` are its name and arguments. */
export function toTyped(words: string): string {
	return `${ownCaller} ${words}`;
}

/**
 * The start of a typed command: PETSTORE_COMMAND, which the image sets; or the executable as it was called; or npx, inside a checkout or
 * project. Elsewhere npx would run somebody else's package, so it is the path of the launcher.
 */
export function toCaller(start: {
	variable: string | undefined;
	/** Undefined if not an executable. */
	executable: string | undefined;
	/** The program's folder. */
	folder: string;
	cwd: string;
	platform: string;
}): string {
	const { variable, executable, folder, cwd, platform } = start;
	if (variable) return variable;
	if (executable !== undefined) return quote(executable, platform);
	const project = folder.replace(/[\\/]node_modules[\\/].*$/, "");
	const way = relative(project, cwd);
	const isInProject = !/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way);
	return isInProject
		? "npx petstore"
		: `node ${quote(`${folder}bin/petstore.cjs`, platform)}`;
}

/** Quotes a word for the shell. Windows shells know only double quotes, which no Windows path has. */
export function quote(text: string, platform: string): string {
	if (platform === "win32")
		return /^[\w.:\\/-]+$/.test(text) ? text : `"${text}"`;
	return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const isSource = import.meta.url.endsWith("/src/program.ts");

/** The URL of a file or folder, by its path in the project. In an executable, files are beside this module. */
export function locate(path: string): URL {
	const project = isSource ? "../" : "../../";
	return new URL(
		Bun.isStandaloneExecutable ? path : project + path,
		import.meta.url,
	);
}

/** The URL of a module for a worker thread, by its path in the project. The bundle and the executable have it as an entry. */
export function locateModule(path: string): URL {
	return isSource
		? locate(path)
		: new URL(path.replace(/\.ts$/, ".js"), import.meta.url);
}

/** Where Linux describes processes. On Windows anyone can create /proc on the current drive, so it is a path that cannot exist. */
export function toProc(platform: string = process.platform): string {
	return platform === "win32" ? "/proc?" : "/proc";
}

const ownCaller = toCaller({
	variable: process.env.PETSTORE_COMMAND,
	executable: Bun.isStandaloneExecutable ? process.argv0 : undefined,
	folder: fileURLToPath(locate("")),
	cwd: process.cwd(),
	platform: process.platform,
});
