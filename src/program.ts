// How this program was started, where its files are, and where the system describes processes. Bun runs it from its source, or from the
// bundle in dist/ that the build makes, which starts faster; or it is an executable that has all of it in one file.
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

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

/** Another command of this program for a child process, whose variables are those of this one and `variables`. */
export function toOtherCommand(
	words: readonly string[],
	variables: Readonly<Record<string, string>>,
) {
	const start = Bun.isStandaloneExecutable
		? []
		: [
				// As bin/petstore starts it.
				...["--no-env-file", "--no-install"],
				`--config=${fileURLToPath(locate("bin/bunfig.toml"))}`,
				fileURLToPath(locateModule("src/cli/main.ts")),
			];
	return {
		program: process.execPath,
		args: [...start, ...words],
		env: { ...process.env, ...variables },
	};
}

/** A command of this program as a person types it, for pages and messages. `words` are its name and its arguments. */
export function toTyped(words: string): string {
	return `${ownCaller} ${words}`;
}

/**
 * The text before the words of a command: PETSTORE_COMMAND, which the image sets; an executable as it was called; in a checkout or a project
 * npx. Elsewhere npx would run a package of somebody else, so there it is the path of the launcher.
 */
export function toCaller(start: {
	variable: string | undefined;
	/** Undefined if this is no executable. */
	executable: string | undefined;
	/** Of the program. */
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

/** A word of a command for the shell. Those of Windows know only double quotes, which no path has there. */
export function quote(text: string, platform: string): string {
	if (platform === "win32")
		return /^[\w.:\\/-]+$/.test(text) ? text : `"${text}"`;
	return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const isSource = import.meta.url.endsWith("/src/program.ts");

/** The place of a file or a folder, by its path in the project. In an executable it is beside this code, which is one file. */
export function locate(path: string): URL {
	const project = isSource ? "../" : "../../";
	return new URL(
		Bun.isStandaloneExecutable ? path : project + path,
		import.meta.url,
	);
}

/** The place of a module that a thread or a child process runs, by its path in the project. It is an entry of the bundle and of an executable. */
export function locateModule(path: string): URL {
	return isSource
		? locate(path)
		: new URL(path.replace(/\.ts$/, ".js"), import.meta.url);
}

/** Where Linux describes processes. On Windows anyone may make that folder on the current drive, so there it is a path that cannot exist. */
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
