// The trials of imports and exports, as data: commands that read or write a file with all animals, and what the engines do by themselves.

import { migrations } from "../../src/store/sqlite/schema.ts";
import { petstore } from "../../test/harness/process.ts";

export interface FileTrial {
	readonly name: string;
	/** The program that it needs, if that may be missing. */
	readonly program?: string;
	readonly command: (places: Places) => readonly [string, ...string[]];
}

export interface Places {
	/** Without its extension. */
	readonly file: string;
	/** A SQLite file that has all animals, and one that does not exist yet. */
	readonly full: string;
	readonly empty: string;
	/** PostgreSQL databases, likewise. */
	readonly fullUrl: string;
	readonly emptyUrl: string;
	/** A file to write. */
	readonly output: string;
}

export const fileTrials: readonly FileTrial[] = [
	{
		name: "import of NDJSON, SQLite",
		command: ({ file, empty }) => importTo(`sqlite:${empty}`, `${file}.ndjson`),
	},
	{
		name: "import of CSV, SQLite",
		command: ({ file, empty }) => importTo(`sqlite:${empty}`, `${file}.csv`),
	},
	{
		name: "`sqlite3 .import` of CSV into the same tables",
		program: "sqlite3",
		command: ({ file, empty }) => [
			...(["sqlite3", empty, "-cmd", migrations.join(";\n")] as const),
			`.import --csv --skip 1 ${file}.csv pets`,
		],
	},
	{
		name: "export to NDJSON, SQLite",
		command: ({ full, output }) =>
			exportFrom(`sqlite:${full}`, `${output}.ndjson`),
	},
	{
		name: "export to CSV, SQLite",
		command: ({ full, output }) =>
			exportFrom(`sqlite:${full}`, `${output}.csv`),
	},
	{
		name: "import of NDJSON, PostgreSQL",
		command: ({ file, emptyUrl }) => importTo(emptyUrl, `${file}.ndjson`),
	},
	{
		name: "export to NDJSON, PostgreSQL",
		command: ({ fullUrl, output }) => exportFrom(fullUrl, `${output}.ndjson`),
	},
];

/** Statements that PostgreSQL runs itself. */
export const copyTrials: readonly {
	readonly name: string;
	/** Its database. */
	readonly toUrl: (places: Places) => string;
	readonly toText: (places: Places) => string;
}[] = [
	{
		name: "PostgreSQL's `COPY FROM` of CSV into the same tables",
		toUrl: ({ emptyUrl }) => emptyUrl,
		toText: ({ file }) =>
			`COPY petstore.pets (id, name, category_id, status) FROM '${file}.csv' (FORMAT csv, HEADER)`,
	},
	{
		name: "PostgreSQL's `COPY TO` as CSV",
		toUrl: ({ fullUrl }) => fullUrl,
		toText: () => "COPY petstore.pets TO '/dev/null' (FORMAT csv, HEADER)",
	},
];

export function importTo(
	database: string,
	file: string,
): readonly [string, ...string[]] {
	return [petstore, "import", file, "--quiet", "--database", database];
}

function exportFrom(
	database: string,
	file: string,
): readonly [string, ...string[]] {
	return [petstore, "export", file, "--quiet", "--database", database];
}
