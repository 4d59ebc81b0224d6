// The command that runs the command line: the Bun that was installed with this package, and what it is told. It is used by petstore.cjs and
// by the test helper. Both are CommonJS, since Node.js starts ES modules some milliseconds later.
const { readFileSync, statSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");

/**
 * Throws a sentence if Bun is not installed.
 * @param {readonly string[]} args
 * @returns {[program: string, ...args: string[]]}
 */
exports.toCommand = (args) => [
	findBun(),
	// No .env file and no bunfig.toml of the current folder is read, and nothing is downloaded.
	...["--no-env-file", "--no-install"],
	`--config=${join(__dirname, "bunfig.toml")}`,
	join(__dirname, "../src/cli/main.ts"),
	...args,
];

function findBun() {
	if (process.versions.pnp !== undefined) throw new Error(plugAndPlay);
	const bun = findFolder("bun", __filename);
	if (bun === undefined) throw new Error(notInstalled);
	const linked = join(bun, "bin/bun.exe");
	if (isProgram(linked)) return linked;
	// Its install script, which puts the program there, has not run. pnpm runs none by default.
	for (const name of toPackages()) {
		const folder = findFolder(name, join(bun, "package.json"));
		if (folder === undefined) continue;
		const program = join(folder, isWindows ? "bin/bun.exe" : "bin/bun");
		if (isProgram(program)) return program;
	}
	throw new Error(notInstalled);
}

const isWindows = process.platform === "win32";
const plugAndPlay =
	'Bun does not find packages by Plug\'n\'Play; set "nodeLinker: node-modules" in .yarnrc.yml and run "yarn install".';
const notInstalled = `Bun for ${process.platform} ${process.arch} is not installed; install the package "bun" with its optional dependencies.`;

/**
 * The folder of a package, as the file `from` would import it.
 * @param {string} name
 * @param {string} from
 */
function findFolder(name, from) {
	try {
		return join(createRequire(from).resolve(`${name}/package.json`), "..");
	} catch {
		return undefined;
	}
}

/**
 * The package of npm has a short text in place of the program.
 * @param {string} path
 */
function isProgram(path) {
	return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000;
}

/** The packages that have the program for this machine, the best first. */
function toPackages() {
	const { platform, arch } = process;
	const processor = arch === "arm64" ? "aarch64" : arch;
	const name = `@oven/bun-${isWindows ? "windows" : platform}-${processor}`;
	// Some package managers install the programs for both C libraries.
	const programs = isMusl() ? `${name}-musl` : name;
	return [programs, `${programs}-baseline`];
}

/** Whether the C library of this process is musl. */
function isMusl() {
	return (
		process.platform === "linux" &&
		/\/ld-musl-/.test(readFileSync("/proc/self/maps", "latin1"))
	);
}
