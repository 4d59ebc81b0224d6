// What the service is compared with is installed from a manifest of its own, when it is first needed.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root } from "../harness/process.ts";

export const peersFolder = `${root}bench/peers`;

/** A current one, whichever the machine has. */
export const node = `${peersFolder}/node_modules/node-${process.platform}-${process.arch}/bin/node`;

export function installPeers(): void {
	if (existsSync(node)) return;
	console.error("Installing what to compare with, into bench/peers.");
	// Nothing of theirs has to be built. The Node that they will run on is among them, so npm's own may be older.
	execFileSync(
		"npm",
		["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
		{ cwd: peersFolder, stdio: ["ignore", 2, 2] },
	);
}
