// What stands in for the image of the build stage, since there may be no registry: Debian's base system with the Node.js of this machine.
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	realpathSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { start } from "../process.ts";

/** Debian has debootstrap in a folder that only root has in its PATH. */
export const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Makes the folder. Returns the reason if Debian cannot be installed there, as without a network. */
export async function makeBase(folder: string): Promise<string | undefined> {
	const installing = start(
		["debootstrap", "--variant=minbase", "bookworm", folder],
		{ cwd: "/", env: { PATH: searchPath } },
	);
	const { status, stdout, stderr } = await installing.finished;
	if (status !== 0)
		return `debootstrap: ${(stdout + stderr).trim().split("\n").at(-1)}`;
	copyNode(`${folder}/usr/local`);
	if (existsSync(certificates)) copyCertificates(folder);
	return undefined;
}

/** To the places that the images of Node.js have. */
function copyNode(to: string): void {
	copyFileSync(Bun.which("node") ?? "node", `${to}/bin/node`);
	const npm = resolve(dirname(realpathSync(Bun.which("npm") ?? "npm")), "..");
	cpSync(npm, `${to}/lib/node_modules/npm`, { recursive: true });
	symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", `${to}/bin/npm`);
}

/** This machine may reach the registry through a proxy whose certificate only it knows. */
function copyCertificates(base: string): void {
	mkdirSync(dirname(base + certificates), { recursive: true });
	copyFileSync(certificates, base + certificates);
	mkdirSync(`${base}/usr/local/etc`, { recursive: true });
	writeFileSync(`${base}/usr/local/etc/npmrc`, `cafile=${certificates}\n`);
}

const certificates = "/etc/ssl/certs/ca-certificates.crt";
