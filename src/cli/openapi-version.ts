// `petstore openapi --version 3.0`: the flag is the command's own, although the program has one of the same name.

/**
 * Commander gives `--version` to the program wherever it stands. Before a value it is meant for `openapi`, and Commander gives
 * `--version=3.0` to the command.
 */
export function joinOpenApiVersion(args: readonly string[]): string[] {
	const [runtime = "", program = "", ...rest] = args;
	if (rest[0] !== "openapi") return [...args];
	const at = rest.indexOf("--version");
	const value = rest[at + 1];
	if (at < 0 || value === undefined || value.startsWith("-")) return [...args];
	return [runtime, program, ...rest.toSpliced(at, 2, `--version=${value}`)];
}
