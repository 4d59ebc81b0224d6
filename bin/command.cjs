// The command that runs the command line: the Bun that was installed with this package, and what it is told. petstore.cjs and the test
// helper use it. It is CommonJS, since Node.js starts ES modules some milliseconds later.
const { existsSync, readdirSync, statSync } = require("node:fs");
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
	findMain(),
	...args,
];

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

function findBun() {
	if (process.versions.pnp !== undefined) throw new Error(plugAndPlay);
	const bun = findFolder("bun", __filename);
	if (bun === undefined) throw new Error(notInstalled);
	const linked = join(bun, "bin/bun.exe");
	if (isProgram(linked)) return linked;
	// Its install script, which puts the program there, has not run. pnpm and Yarn run none by default.
	const program = findProgram(bun);
	if (program === undefined) throw new Error(notInstalled);
	return program;
}

const isWindows = process.platform === "win32";
const system = isWindows ? "windows" : process.platform;
const processor = process.arch === "arm64" ? "aarch64" : process.arch;
const packages = ["", "-baseline", "-musl", "-musl-baseline"].map(
	(variant) => `@oven/bun-${system}-${processor}${variant}`,
);

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

/**
 * The program in the package for this machine, as the package `bun` would import it.
 * @param {string} bun
 */
function findProgram(bun) {
	const file = isWindows ? "bin/bun.exe" : "bin/bun";
	const found = packages.flatMap((name) => {
		const folder = findFolder(name, join(bun, "package.json"));
		if (folder === undefined || !isProgram(join(folder, file))) return [];
		return [{ isForMusl: name.includes("-musl"), path: join(folder, file) }];
	});
	// Yarn 1 installs the packages for both C libraries.
	const fitting =
		found.length > 1
			? found.find(({ isForMusl }) => isForMusl === isMusl())
			: found[0];
	return fitting?.path;
}

/** Whether the C library of this process is musl. It is not if the report has a version of glibc. */
function isMusl() {
	if (process.platform !== "linux") return false;
	const report = JSON.stringify(process.report.getReport());
	return !report.includes("glibcVersionRuntime");
}
