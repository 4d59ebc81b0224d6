// What an import is told: its file and its flags.
import type { FileFormat } from "../../contract/file-format.ts";
import type { FileKind } from "../../formats/format.ts";
import type { DatabaseFlags } from "../options.ts";

export interface ImportedFile extends FileKind {
	readonly file: string;
	readonly format: FileFormat;
}

export interface ImportFlags extends DatabaseFlags {
	readonly format?: FileFormat;
	readonly keepIds?: true;
	readonly importId?: string;
	readonly skipBad?: string;
	readonly dryRun?: true;
	readonly quiet?: true;
}
