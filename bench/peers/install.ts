// Installs the servers that the service is compared with, when first needed and after a change of version. They have their own
// package.json.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../../test/harness/process.ts";

export const peersFolder = `${root}bench/peers`;

/** The Node of this package.json, so that its version does not depend on the machine. */
export const node = installedNode(peersFolder);

/** The Node of a folder's package.json. */
export function installedNode(folder: string): string {
	return `${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`;
}

/** Installs the packages of a folder with a package.json, unless they are installed. */
export function installPackages(folder: string): void {
	if (isInstalled(folder)) return;
	console.error(`Installing packages from npm into ${folder}.`);
	// No package needs a build. They run on their own Node, so npm may run on an older one.
	execFileSync(
		"npm",
		["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
		{ cwd: folder, stdio: ["ignore", 2, 2] },
	);
}

/** Whether every package has the version of the package.json. */
export function isInstalled(folder: string): boolean {
	const { dependencies } = readManifest(folder);
	return Object.entries(dependencies).every(([name, version]) => {
		const installed = `${folder}/node_modules/${name}`;
		return existsSync(installed) && readManifest(installed).version === version;
	});
}

function readManifest(folder: string): Manifest {
	return JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
}

interface Manifest {
	readonly version: string;
	readonly dependencies: Readonly<Record<string, string>>;
}
