// The servers that the service is compared with have their own package.json. Their packages are installed when first needed.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root } from "../../harness/process.ts";

export const peersFolder = `${root}bench/peers`;

/** The Node of this package.json, so that its version does not depend on the machine. */
export const node = `${peersFolder}/node_modules/node-${process.platform}-${process.arch}/bin/node`;

export function installPeers(): void {
	if (existsSync(node)) return;
	console.error("Installing the servers to compare with, into bench/peers.");
	// No package has to be built, and the packages run on the Node that is one of them, so npm may run on an older Node.
	execFileSync(
		"npm",
		["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
		{ cwd: peersFolder, stdio: ["ignore", 2, 2] },
	);
}
