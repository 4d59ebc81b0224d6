// The servers that the service is compared with have their own package.json. Their packages are installed when first needed, and
// when a version has changed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../../harness/process.ts";

export const peersFolder = `${root}bench/peers`;

/** The Node of this package.json, so that its version does not depend on the machine. */
export const node = installedNode(peersFolder);

/** The Node that the package.json of a folder has. */
export function installedNode(folder: string): string {
	return `${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`;
}

/** Installs the packages of a folder with a package.json, unless they are installed. */
export function installPackages(folder: string): void {
	if (isInstalled(folder)) return;
	console.error(`Installing packages from npm into ${folder}.`);
	// No package has to be built, and the packages run on the Node that is one of them, so npm may run on an older Node.
	execFileSync(
		"npm",
		["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
		{ cwd: folder, stdio: ["ignore", 2, 2] },
	);
}

/** Whether every package is there, in the version of the package.json. */
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
