// A fault, planted in a copy of the project; there is no switch for it in the service itself.
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { root } from "../test/process.ts";
import type { Plant } from "./plants.ts";

/** Returns the command line of the copy, which is made in this folder. */
export function plant({ file, from, to }: Plant, folder: string): string {
	const copy = `${folder}/planted`;
	mkdirSync(copy);
	for (const part of ["bin", "src", "conformance", "package.json"])
		cpSync(`${root}${part}`, `${copy}/${part}`, { recursive: true });
	symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
	const original = readFileSync(`${copy}/${file}`, "utf8");
	if (!original.includes(from))
		throw new Error(`${file} has no longer this text: ${from}`);
	writeFileSync(
		`${copy}/${file}`,
		original.replaceAll(from, () => to),
	);
	return `${copy}/bin/petstore`;
}
