// A fault, planted in a copy of the project; there is no switch for it in the service itself.
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { root } from "../harness/process.ts";

export interface Fault {
	/** What the copy does wrong. */
	readonly fault: string;
	readonly file: string;
	/** This text of the file becomes that. */
	readonly from: string;
	readonly to: string;
}

/** Returns the command line of the copy, which is made in this folder. */
export function plant(fault: Fault, folder: string): string {
	const copy = `${folder}/planted`;
	mkdirSync(copy);
	for (const part of ["bin", "src", "conformance", "package.json"])
		cpSync(`${root}${part}`, `${copy}/${part}`, { recursive: true });
	symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
	plantIn(copy, fault);
	return `${copy}/bin/petstore`;
}

/** In a copy that is there already. What would be no program is refused: that it does not start would be caught by anything. */
export function plantIn(copy: string, fault: Fault): void {
	const path = `${copy}/${fault.file}`;
	const planted = toPlanted(readFileSync(path, "utf8"), fault);
	writeFileSync(path, planted);
}

export function toPlanted(original: string, { file, from, to }: Fault): string {
	const parts = original.split(from);
	if (parts.length !== 2)
		throw new Error(`${file} has this text ${parts.length - 1} times: ${from}`);
	const planted = parts.join(to);
	new Bun.Transpiler({ loader: "ts" }).transformSync(planted);
	return planted;
}
