// Writes SHA256SUMS beside the executables, for `sha256sum --check`.
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Of all executables in the folder, even those of earlier builds. */
export async function writeChecksums(folder: string): Promise<void> {
	const lines: string[] = [];
	for (const name of readdirSync(folder).sort())
		if (name.startsWith("petstore-"))
			lines.push(`${await toSum(`${folder}/${name}`)}  ${name}\n`);
	writeFileSync(`${folder}/SHA256SUMS`, lines.join(""));
}

async function toSum(file: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(file), hash);
	return hash.digest("hex");
}
