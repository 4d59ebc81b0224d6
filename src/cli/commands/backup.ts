// `petstore backup`: a copy of the database as one SQLite file, while the service runs.
import { setImmediate as nextIteration } from "node:timers/promises";
import { removeOlder } from "../../backups/folder.ts";
import { makeBackup } from "../../backups/make.ts";
import { madeBackup } from "../../backups/maker.ts";
import { toCountText, toQuantity, toSizeText } from "../../domain/quantity.ts";
import { optional } from "../../domain/type.ts";
import type { Part } from "../../store/archive/archive.ts";
import { toCommand } from "../command.ts";
import { database, folder, json, keep, pathOf } from "../flags.ts";
import { createProgress, print } from "../terminal/print.ts";
import { exitAtSignals } from "../terminal/signal.ts";
import { toFacts } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";

export const command = toCommand("backup", {
	arguments: {
		file: optional(
			pathOf(
				"File to make; by default a file in the backup folder, named by catalogue and time.",
			),
		),
	},
	flags: { folder, keep, json, database },
	help: `The file is a complete SQLite database, even if the source is PostgreSQL. It
holds animals, keys and Idempotency-Keys, but no sessions. It is checked before
it gets its name. No file is overwritten.`,
	examples: [
		"petstore backup --keep 7",
		"petstore backup /mnt/usb/petstore.db",
		"petstore backup --database postgres://petstore@db.example/petstore",
	],
	async run({ file, folder, keep, json, database }) {
		exitAtSignals();
		// The service that started it has exited.
		process.once("disconnect", () => process.exit(1));
		const place = file === undefined ? { folder } : { file };
		const made = await withStoreReader(database, ({ archive }) =>
			makeBackup(counted(archive.read()), place),
		);
		const { path, animals, bytes, ms } = made;
		const removed = keep === undefined ? [] : await removeOlder(path, keep);
		const seconds = Math.round(ms) / 1000;
		const facts = { path, animals, bytes, seconds, removed };
		if (json) return print(`${madeBackup.write(facts)}\n`);
		print(
			toFacts({
				backup: path,
				animals: toCountText(animals),
				size: toSizeText(bytes),
				duration: `${(ms / 1000).toFixed(1)} s`,
				...(removed.length > 0 && { removed: removed.join(", ") }),
			}),
		);
	},
});

export function createCounts() {
	return { pets: 0, keys: 0, idempotencyKeys: 0 };
}

export type Counts = ReturnType<typeof createCounts>;

/** Counts the parts of an archive as they pass, and shows the progress. */
export async function* counted(
	parts: AsyncIterable<Part>,
	counts: Counts = createCounts(),
): AsyncGenerator<Part> {
	const showProgress = createProgress();
	for await (const part of parts) {
		yield part;
		// SQLite reads and writes without a pause; without this, no signal would be handled.
		await nextIteration();
		if (part.kind === "keys" || part.kind === "idempotencyKeys")
			counts[part.kind] += part.rows.length;
		if (part.kind === "pets") {
			counts.pets += part.rows.length;
			showProgress(counts.pets);
		}
		// Exact, even if animals came twice or were removed.
		if (part.kind === "count") counts.pets = part.pets;
	}
}

export function toCountsText({ pets, keys, idempotencyKeys }: Counts): string {
	return `${toQuantity(pets, "animal")}, ${toQuantity(keys, "key")} and ${toQuantity(idempotencyKeys, "Idempotency-Key")}`;
}
