// Replaces the image of the build stage, which needs a registry, by Debian's base system with the Node.js of this machine.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { addNode, installDebian } from "../debian.ts";

/** Creates the folder. Returns the reason if Debian cannot be installed. */
export async function makeBase(folder: string): Promise<string | undefined> {
	const reason = await installDebian(folder);
	if (reason !== undefined) return reason;
	addNode(folder);
	if (existsSync(certificates)) copyCertificates(folder);
	return undefined;
}

/** A proxy between this machine and the registry may have its own certificate. */
function copyCertificates(base: string): void {
	mkdirSync(dirname(base + certificates), { recursive: true });
	copyFileSync(certificates, base + certificates);
	mkdirSync(`${base}/usr/local/etc`, { recursive: true });
	writeFileSync(`${base}/usr/local/etc/npmrc`, `cafile=${certificates}\n`);
}

const certificates = "/etc/ssl/certs/ca-certificates.crt";
