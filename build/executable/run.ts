// npm run build:executable: writes executables that need no Node.js, no Bun and no packages, their checksums, and the licences
// of what they contain.
//
// Usage: npm run build:executable [-- --target TARGET … | --target all] [-- --out FOLDER] [-- --commit ID]
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildLicenses, licensesFile } from "../licenses.ts";
import { buildPages } from "../pages.ts";
import { root } from "../root.ts";
import { bundle } from "./bundle.ts";
import { writeChecksums } from "./checksums.ts";
import { readCommit } from "./commit.ts";
import { openRuntimes } from "./runtime.ts";
import { findOwnTarget, type Target, targets } from "./targets.ts";

const { values: flags } = parseArgs({
	options: {
		target: { type: "string", multiple: true },
		out: { type: "string", default: `${root}executables` },
		// For a build outside the repository, as in a container.
		commit: { type: "string" },
	},
});
const chosen = toTargets(flags.target ?? [findOwnTarget()]);
const folder = resolve(flags.out);
const commit = flags.commit ?? readCommit();

mkdirSync(folder, { recursive: true });
buildLicenses(await buildPages());
copyFileSync(licensesFile, `${folder}/licenses.txt`);
const runtimes = openRuntimes();
try {
	for (const target of chosen) {
		const { file, bytes } = await bundle(target, {
			folder,
			commit,
			runtime: runtimes.find(target),
		});
		console.log(`${file} (${(bytes / 1e6).toFixed(1)} MB)`);
	}
} finally {
	rmSync(runtimes.folder, { recursive: true });
}
await writeChecksums(folder);

function toTargets(names: readonly string[]): readonly Target[] {
	const known = ["all", ...targets.map(({ name }) => name)];
	const unknown = names.find((name) => !known.includes(name));
	if (unknown !== undefined) {
		console.error(
			`There is no target ${unknown}. The targets are ${known.join(", ")}.`,
		);
		process.exit(2);
	}
	return targets.filter(
		({ name }) => names.includes("all") || names.includes(name),
	);
}
