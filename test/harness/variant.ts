// Makes a copy of the project in which one export of src/ is replaced by a fault, so the service
// needs no switches for them. The replacement has the type of the original, so it no longer compiles if the original changes.
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { root } from "./process.ts";

export interface Variant {
	/** The scenarios of faults/. */
	readonly caughtBy: readonly string[];
	/** The difference in words. Unique in its list. */
	readonly name: string;
	readonly module: string;
	readonly export: string;
	/** Gets the original export, and returns its replacement. */
	readonly replace: (original: never) => unknown;
}

/** The modules whose exports can be replaced. */
interface Modules {
	"src/backups/make.ts": typeof import("../../src/backups/make.ts");
	"src/operator/interface.ts": typeof import("../../src/operator/interface.ts");
	"src/store/animals/catalogue.ts": typeof import("../../src/store/animals/catalogue.ts");
	"src/store/animals/change.ts": typeof import("../../src/store/animals/change.ts");
	"src/store/edits/feed.ts": typeof import("../../src/store/edits/feed.ts");
	"src/store/animals/planned.ts": typeof import("../../src/store/animals/planned.ts");
	"src/store/postgres/connection.ts": {
		readonly flushed: string;
	};
	"src/store/postgres/course.ts": typeof import("../../src/store/postgres/course.ts");
	"src/store/postgres/flush.ts": typeof import("../../src/store/postgres/flush.ts");
	"src/store/sqlite/connection.ts": typeof import("../../src/store/sqlite/connection.ts");
	"src/store/sqlite/engine.ts": typeof import("../../src/store/sqlite/engine.ts");
	"src/store/files/transfer.ts": typeof import("../../src/store/files/transfer.ts");
	"src/v1/add.ts": typeof import("../../src/v1/add.ts");
}

export function variant<
	Module extends keyof Modules,
	Name extends keyof Modules[Module] & string,
>(
	caughtBy: readonly string[],
	name: string,
	module: Module,
	exported: Name,
	replace: (original: Modules[Module][Name]) => Modules[Module][Name],
): Variant {
	return { caughtBy, name, module, export: exported, replace };
}

/** Makes the copy in the subfolder `variant`, and returns the path of its petstore executable. */
export function makeCopy(change: Variant, folder: string): string {
	const copy = copyProject(`${folder}/variant`);
	const path = `${copy}/${change.module}`;
	const original = readFileSync(path, "utf8");
	writeFileSync(path, withReplacement(original, change));
	return `${copy}/bin/petstore`;
}

/** Copies what the service needs into a new folder. */
export function copyProject(copy: string): string {
	mkdirSync(copy);
	for (const part of ["bin", "src", "conformance", "package.json"])
		cpSync(`${root}${part}`, `${copy}/${part}`, { recursive: true });
	symlinkSync(`${root}node_modules`, `${copy}/node_modules`);
	return copy;
}

/** Renames the original export in the text of a module, and gives its name to the replacement. */
function withReplacement(
	text: string,
	{ name, module, export: exported }: Variant,
): string {
	const renamed = `${exported}_original`;
	const declaration = new RegExp(
		`^export ((?:async )?function\\*?|const) ${exported}\\b`,
		"gm",
	);
	// The last one, because the signatures of an overloaded function come first.
	const match = [...text.matchAll(declaration)].at(-1) ?? null;
	const [found = "", kind] = match ?? [];
	if (match === null || kind === undefined)
		throw new Error(`${module} exports no ${exported}`);
	const { index } = match;
	const end = endOfStatement(text, index);
	const call =
		kind === "const"
			? `export const ${exported} = replace_(${renamed});`
			: `export function ${exported}(...values) { return replace_(${renamed})(...values); }`;
	return [
		`import { plants as variants_ } from ${JSON.stringify(`${root}faults/plants.ts`)};\n`,
		`const replace_ = variants_.find(({ name }) => name === ${JSON.stringify(name)}).replace;\n`,
		text.slice(0, index).replaceAll(declaration, `$1 ${renamed}`),
		`${kind} ${renamed}`,
		text.slice(index + found.length, end),
		`${call}\n`,
		text.slice(end),
	].join("");
}

/** In formatted code, a top-level statement ends with the first line that is not indented and ends in `;` or `}`. */
function endOfStatement(text: string, start: number): number {
	const rest = text.slice(start);
	const { 0: statement = rest } =
		/^(?:[^\n]*;|.*?\n[^\s\n][^\n]*[;}])\n/s.exec(rest) ?? {};
	return start + statement.length;
}
