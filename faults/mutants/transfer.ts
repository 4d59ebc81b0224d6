// Faults in imports, backups and restores.
import { type Variant, variant } from "../../test/harness/variant.ts";

export const transferMutants: readonly Variant[] = [
	variant(
		"an import that is stopped keeps a part of its animals",
		"src/store/archive/import.ts",
		"writeImport",
		(writeImport) => (target, staged, options) =>
			writeImport(target, staged, {
				...options,
				onProgress(count) {
					options.onProgress(count);
					target.sql("COMMIT");
					target.sql("BEGIN IMMEDIATE");
				},
			}),
	),
	variant(
		"an import with the same id adds its animals again",
		"src/store/archive/import.ts",
		"writeImport",
		(writeImport) => (target, staged, options) =>
			writeImport(target, staged, { ...options, importId: undefined }),
	),
	variant(
		"the parts of a backup are of different moments",
		"src/store/sqlite/archive/archive.ts",
		"readArchive",
		(readArchive) =>
			async function* (db) {
				for await (const part of readArchive(db)) {
					if (part.kind === "epoch") db.run("COMMIT; BEGIN");
					yield part;
				}
			},
	),
	variant(
		"PostgreSQL: the parts of a backup are of different moments",
		"src/store/postgres/archive/archive.ts",
		"readArchive",
		(readArchive) =>
			async function* (client) {
				for await (const part of readArchive(client)) {
					if (part.kind === "epoch") await client.query("COMMIT");
					yield part;
				}
			},
	),
	variant(
		"positions of the feed stay valid after a restore",
		"src/store/feed.ts",
		"toNextBase",
		() => () => 2n ** 32n,
	),
];
