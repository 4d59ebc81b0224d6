// SHA256SUMS, which `sha256sum --check` reads.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

export const checksumFile = "SHA256SUMS";

/** Writes the checksums of all other files of the folder, sorted by their names. */
export async function writeChecksums(folder: string): Promise<void> {
	const names = (await readdir(folder)).filter((name) => name !== checksumFile);
	const lines: string[] = [];
	for (const name of names.sort())
		lines.push(`${await sha256(`${folder}/${name}`)}  ${name}\n`);
	await writeFile(`${folder}/${checksumFile}`, lines.join(""));
}

/** As a stream, since an executable has about 100 MB. */
async function sha256(path: string): Promise<string> {
	const hash = createHash("sha256");
	await pipeline(createReadStream(path), hash);
	return hash.digest("hex");
}
