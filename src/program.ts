// How this program was started, and where its files are. It runs from its source, from the bundle in dist/ (which starts faster),
// or as an executable in one file.

declare const PETSTORE_COMMIT: string;

/** The commit that an executable was built from. The build defines PETSTORE_COMMIT. */
export const commit =
	typeof PETSTORE_COMMIT === "string" ? PETSTORE_COMMIT : undefined;

/** Another command of this program for a child process. `variables` are added to the environment. */
export function toOtherCommand(
	words: readonly string[],
	variables: Readonly<Record<string, string>>,
) {
	const start = Bun.isStandaloneExecutable
		? []
		: [
				// As in bin/petstore.
				...["--no-env-file", "--no-install", "--config=/dev/null"],
				Bun.fileURLToPath(main),
			];
	return {
		program: process.execPath,
		args: [...start, ...words],
		env: { ...process.env, ...variables },
	};
}

const isSource = import.meta.url.endsWith("/src/program.ts");

/** The bundle has it beside its other files. */
const main = isSource
	? new URL("cli/main.ts", import.meta.url)
	: new URL("src/cli/main.js", import.meta.url);

/** The URL of a file or folder, by its path in the project. An executable contains it beside this code. */
export function locate(path: string): URL {
	const project = isSource ? "../" : "../../";
	return new URL(
		Bun.isStandaloneExecutable ? path : project + path,
		import.meta.url,
	);
}
