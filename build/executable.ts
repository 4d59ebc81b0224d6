// npm run build:executable: writes an executable for this machine, which needs no Node.js, no Bun and no packages, and the licences of what
// it contains. It has the program as one file with its bytecode, the files of dist/, and Bun.
//
// Usage: npm run build:executable [-- --out FOLDER] [-- --commit ID]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildLicenses } from "./licenses.ts";
import { buildPages } from "./pages.ts";
import { root } from "./root.ts";

const { values: flags } = parseArgs({
	options: {
		out: { type: "string", default: `${root}executables` },
		// For a build outside the repository, as in a container.
		commit: { type: "string" },
	},
});
const folder = resolve(flags.out);
const commit = flags.commit ?? readCommit();

mkdirSync(folder, { recursive: true });
// In the same folder, so that a rename can put the complete executable into its place.
const work = mkdtempSync(`${folder}/.build-`);
try {
	// Bun includes the folder dist under its name.
	buildLicenses(`${work}/`, await buildPages(`${work}/dist/pages/`));
	await Bun.build({
		entrypoints: [`${root}src/cli/main.ts`],
		root,
		target: "bun",
		format: "esm",
		bytecode: true,
		// Keeps names, and includes the source map, so that an error says where it comes from.
		minify: { syntax: true, whitespace: true },
		sourcemap: "linked",
		define: commit ? { PETSTORE_COMMIT: JSON.stringify(commit) } : {},
		compile: {
			executablePath: process.execPath,
			outfile: `${work}/petstore`,
			assets: [`${work}/dist`],
			// The executable must not depend on its current folder.
			autoloadDotenv: false,
			autoloadBunfig: false,
			autoloadTsconfig: false,
			autoloadPackageJson: false,
		},
	});
	for (const name of ["licenses.txt", "petstore"])
		renameSync(`${work}/${name}`, `${folder}/${name}`);
} finally {
	rmSync(work, { recursive: true });
}
console.log(`${folder}/petstore`);

/** Undefined outside a repository. */
function readCommit(): string | undefined {
	const id = git("rev-parse", "--short=7", "HEAD");
	if (id === undefined) return undefined;
	return git("status", "--porcelain") === "" ? id : `${id}, changed`;
}

function git(...args: readonly string[]): string | undefined {
	const options = { cwd: root, encoding: "utf8" } as const;
	const { status, stdout } = spawnSync("git", args, options);
	return status === 0 ? stdout.trim() : undefined;
}
