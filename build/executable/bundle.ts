// Builds one executable from the program as one file with its bytecode, the writer thread as another, the files of dist/, and Bun.
import { cpSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { threadModule } from "../../src/store/sqlite/requests/writer/thread.ts";
import { assetFolder } from "../../src/web/assets.ts";
import { root } from "../root.ts";
import type { Target } from "./targets.ts";

export interface BundleOptions {
	readonly folder: string;
	readonly commit: string | undefined;
	/** The path of Bun for the target. */
	readonly runtime: string;
}

export async function bundle(
	{ compile, executable }: Target,
	{ folder, commit, runtime }: BundleOptions,
): Promise<{ file: string; bytes: number }> {
	// In the same folder, so that a rename can put the complete executable into its place.
	const work = mkdtempSync(`${folder}/.build-`);
	try {
		await Bun.build({
			entrypoints: [`${root}src/cli/main.ts`, root + threadModule],
			root,
			target: "bun",
			format: "esm",
			bytecode: true,
			// Keeps names, and includes the source map, so that an error says where it comes from.
			minify: { syntax: true, whitespace: true },
			sourcemap: "linked",
			define: toDefinitions(commit),
			compile: {
				target: compile,
				executablePath: runtime,
				outfile: `${work}/${executable}`,
				assets: [gatherFiles(work)],
				// The executable must not depend on its current folder.
				autoloadDotenv: false,
				autoloadBunfig: false,
				autoloadTsconfig: false,
				autoloadPackageJson: false,
			},
		});
		const file = `${folder}/${executable}`;
		renameSync(`${work}/${executable}`, file);
		return { file, bytes: statSync(file).size };
	} finally {
		rmSync(work, { recursive: true });
	}
}

/** A folder `dist` with the files that the program reads. Bun includes it under that name. */
function gatherFiles(work: string): string {
	cpSync(assetFolder, `${work}/dist/pages`, { recursive: true });
	return `${work}/dist`;
}

function toDefinitions(commit: string | undefined): Record<string, string> {
	return commit === undefined
		? {}
		: { PETSTORE_COMMIT: JSON.stringify(commit) };
}
