// Finds the Bun for an executable: the one that runs this program, or for other machines that of npm, checked by package-lock.json.
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import lock from "../../package-lock.json" with { type: "json" };
import { findOwnTarget, type Target } from "./targets.ts";

export interface Runtimes {
	/** Packages are unpacked here. The caller removes it. */
	readonly folder: string;
	readonly find: (target: Target) => string;
}

export function openRuntimes(): Runtimes {
	const folder = mkdtempSync(`${tmpdir()}/petstore-executable-`);
	return {
		folder,
		find: (target) =>
			target.name === findOwnTarget()
				? process.execPath
				: unpack(target, `${folder}/${target.name}`),
	};
}

/** Bun's bundler would download the same package, but would not check it. */
function unpack(target: Target, folder: string): string {
	const { version, integrity } = findLocked(target.package);
	mkdirSync(folder);
	const tarball = download(`${target.package}@${version}`, folder);
	const found = `sha512-${hash("sha512", readFileSync(tarball), "base64")}`;
	if (found !== integrity)
		throw new Error(
			`${target.package} of npm is not the one in package-lock.json: its checksum is ${found}.`,
		);
	execFileSync("tar", ["-xzf", tarball, "-C", folder]);
	return `${folder}/package/${target.binary}`;
}

function download(name: string, folder: string): string {
	const output = execFileSync(
		"npm",
		["pack", "--silent", "--pack-destination", folder, name],
		{ encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
	);
	return `${folder}/${output.trim()}`;
}

function findLocked(name: string): { version: string; integrity: string } {
	const locked = Object.entries(lock.packages).find(
		([path]) => path === `node_modules/${name}`,
	)?.[1];
	if (locked !== undefined && "integrity" in locked) return locked;
	throw new Error(`package-lock.json has no ${name}.`);
}
