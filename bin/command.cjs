// The command that runs the command line on the Bun that npm installed with this package. petstore.cjs and the test helper use it. It is
// CommonJS, since Node.js starts ES modules some milliseconds later.
const { existsSync, readdirSync, statSync } = require("node:fs");
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
	...toScript(findMain()),
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

/** What the build made, which starts faster. In a checkout the source, if a file of it is newer or nothing was built, as in bin/petstore. */
function findMain() {
	const root = join(__dirname, "..");
	const built = join(root, "dist/program/src/cli/main.js");
	const source = join(root, "src/cli/main.ts");
	if (!existsSync(source)) return built;
	const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	const isOld = ["src", "conformance", "package.json"].some((name) =>
		isNewer(join(root, name), builtAt),
	);
	return isOld ? source : built;
}

/**
 * Whether the file, or anything in the folder, is newer. With `recursive` of readdirSync, or `join`, it would take several times as long.
 * @param {string} path
 * @param {number} time
 * @returns {boolean}
 */
function isNewer(path, time) {
	const stats = statSync(path);
	if (stats.mtimeMs > time) return true;
	if (!stats.isDirectory()) return false;
	return readdirSync(path).some((name) => isNewer(`${path}/${name}`, time));
}
