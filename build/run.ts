// npm run build: writes dist/, which is not in the repository. `npm ci` and `npm pack` run it too.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { buildLicenses } from "./licenses.ts";
import { buildModules } from "./modules.ts";
import { buildPages } from "./pages.ts";
import { buildProgram } from "./program.ts";
import { root } from "./root.ts";

const dist = `${root}dist/`;
// On the same disk as dist/, and removed by the next build if this one is killed.
const work = `${dist}.build-${process.pid}/`;
mkdirSync(work, { recursive: true });
try {
	await buildModules(work);
	await buildProgram(work);
	buildLicenses(work, await buildPages(`${work}pages/`));
	replace();
} finally {
	rmSync(work, { recursive: true, force: true });
}

/** Each file in one step, because a service may read it. Then removes everything else from dist/, which npm would pack. */
function replace(): void {
	const made = readdirSync(work, { recursive: true }).map(String).sort();
	for (const path of made)
		if (statSync(work + path).isDirectory())
			mkdirSync(dist + path, { recursive: true });
		else renameSync(work + path, dist + path);
	const kept = new Set(made);
	for (const path of readdirSync(dist, { recursive: true }).map(String))
		if (!kept.has(path)) rmSync(dist + path, { recursive: true, force: true });
}
