// `petstore copy`: everything from one database to another, between any two engines.
import { Command } from "@commander-js/extra-typings";
import { OperatorError } from "../../domain/errors.ts";
import { maxKeptId, type Pet } from "../../domain/pet.ts";
import type { Part } from "../../store/archive/archive.ts";
import { readDatabaseUrl } from "../../store/database-url.ts";
import { openStore, openStoreReader } from "../../store/open.ts";
import { say } from "../terminal/print.ts";
import { sayWaiting } from "../terminal/progress.ts";
import { explainFailure, sayMigration } from "../with-store.ts";
import { counted, createCounts, toCountsText } from "./backup/counted.ts";

export const command = new Command("copy")
	.requiredOption("--from <url>", "source database (unchanged)")
	.requiredOption("--to <url>", "empty database to copy to")
	.addHelpText(
		"after",
		`
Stop the service first: later changes of the source are not in the target. All
sessions of the console end.

Examples:
  petstore copy --from sqlite:data/petstore.db \\
    --to postgres://petstore:PASSWORD@db.example/petstore`,
	)
	.action(async ({ from, to }) => {
		for (const [flag, text] of Object.entries({ "--from": from, "--to": to }))
			await named(flag, async () => readDatabaseUrl(text));
		if (from === to)
			throw new OperatorError("--from and --to name the same database.", 2);
		const source = await named("--from", () => openStoreReader(from));
		const counts = createCounts();
		const parts = counted(toCopied(source.archive.readOnline()), counts);
		const options = { create: true, onMigration: sayMigration };
		await named("--to", () => openStore(to, options))
			.then(({ archive, close }) =>
				archive.write(parts, { onWait: sayWaiting() }).finally(close),
			)
			.catch(explainFailure("everything was copied"))
			.finally(source.close);
		say(`Copied ${toCountsText(counts)}.`);
	});

/** A copy is another catalogue: the target keeps its id. */
async function* toCopied(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
	for await (const part of parts) {
		if (part.kind === "pets" || part.kind === "newerPets")
			part.rows.forEach(requireKeptId);
		yield part.kind === "epoch" ? { ...part, id: "" } : part;
	}
}

function requireKeptId({ id }: Pet): void {
	if (id > maxKeptId)
		throw new OperatorError(
			`--from: animal ${id} cannot be copied: its id is above ${maxKeptId}, the largest that a catalogue may get. Nothing was copied.`,
		);
}

/** Prefixes a message with the flag of its database. */
async function named<Result>(
	flag: string,
	work: () => Promise<Result>,
): Promise<Result> {
	return work().catch((error) => {
		if (!(error instanceof OperatorError)) throw error;
		throw new OperatorError(`${flag}: ${error.message}`, error.exitStatus);
	});
}
