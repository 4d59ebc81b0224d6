// The command that runs the program of this package on the Bun that npm installed with it. petstore.cjs and the test helper use it. It is
// CommonJS, since Node.js starts ES modules some milliseconds later.
const { statSync } = require("node:fs");
const { join } = require("node:path");

/**
 * Throws a sentence if Bun is not installed.
 * @param {readonly string[]} args
 * @returns {[program: string, ...args: string[]]}
 */
exports.toCommand = (args) => [
	findBun(),
	// No .env file and no bunfig.toml of the current folder is read, and nothing is downloaded.
	...["--no-env-file", "--no-install", "--config=/dev/null"],
	...toScript(join(__dirname, "../dist/program/src/cli/main.js")),
	...args,
];

/**
 * Bun takes what follows a `?` in a path for a query, and then finds neither the program nor, in such a current folder, what `-e` needs. The
 * program is a function in brackets, so that it can be evaluated. It starts without its bytecode.
 * @param {string} main
 */
function toScript(main) {
	if (!main.includes("?")) return [main];
	const code = `process.chdir(${JSON.stringify(process.cwd())});
const file = process.argv[1];
eval(require("fs").readFileSync(file, "utf8"))(exports, require, module, file);`;
	return ["--cwd=/", "-e", code, main];
}

function findBun() {
	const { platform, arch } = process;
	const system = `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`;
	try {
		const bun = require.resolve("bun/package.json");
		const linked = join(bun, "../bin/bun.exe");
		if (statSync(linked).size > 1_000_000) return linked;
		// A short text: its install script, which npm runs only if it is allowed to, has not linked the program.
		const paths = [bun];
		try {
			return require.resolve(`${system}/bin/bun`, { paths });
		} catch {
			return require.resolve(`${system}-musl/bin/bun`, { paths });
		}
	} catch {
		throw new Error('Bun is not installed; install the package "bun".');
	}
}
