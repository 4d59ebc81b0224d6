// `petstore copy`: everything from one database to another, between any two engines.
import type { Command } from "commander";
import type { Awaitable } from "../async/awaitable.ts";
import { OperatorError } from "../contract/errors.ts";
import { maxKeptId, type Pet } from "../contract/pet.ts";
import type { Part } from "../store/archive.ts";
import {
	openStore,
	openStoreReader,
	requireDatabaseUrl,
} from "../store/open.ts";
import { counted, createCounts } from "./backup/counted.ts";
import { say } from "./print.ts";
import { sayWaiting } from "./progress.ts";
import { sayMigration } from "./with-store.ts";

export function addCopy(program: Command): void {
	program
		.command("copy")
		.description(
			"copy animals, keys, Idempotency-Keys and usage to an empty database; all of it or nothing",
		)
		.requiredOption(
			"--from <url>",
			"database to copy, which keeps all that it holds",
		)
		.requiredOption("--to <url>", "empty database to copy to")
		.addHelpText(
			"after",
			`
Stop the service first: what is added to the old database after it was copied is
not in the new one. All sessions of the console end.

Examples:
  petstore copy --from sqlite:data/petstore.db \\
    --to postgres://petstore:PASSWORD@db.example/petstore`,
		)
		.action(copy);
}

async function copy({ from, to }: { from: string; to: string }): Promise<void> {
	if (from === to)
		throw new OperatorError("--from and --to name the same database.", 2);
	await withFlag("--from", () => requireDatabaseUrl(from));
	await withFlag("--to", () => requireDatabaseUrl(to));
	const source = await withFlag("--from", () => openStoreReader(from));
	try {
		const target = await withFlag("--to", () =>
			openStore(to, { create: true, onMigration: sayMigration }),
		);
		try {
			const counts = createCounts();
			const parts = toCopied(source.archive.readOnline());
			await target.archive.write(counted(parts, counts), {
				onWait: sayWaiting(),
			});
			say(
				`Copied ${counts.pets} animals, ${counts.keys} keys and ${counts.idempotencyKeys} Idempotency-Keys.`,
			);
		} finally {
			await target.close();
		}
	} finally {
		await source.close();
	}
}

/** A copy is another catalogue, so it keeps its own id. */
async function* toCopied(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
	for await (const part of parts) {
		if (part.kind === "pets" || part.kind === "newerPets")
			part.rows.forEach(requireKeptId);
		yield part.kind === "catalogue" ? { ...part, id: undefined } : part;
	}
}

function requireKeptId({ id }: Pet): void {
	if (id > maxKeptId)
		throw new OperatorError(
			`--from: animal ${id} cannot be copied: its id is above ${maxKeptId}, the largest that a catalogue may get. Nothing was copied.`,
		);
}

/** Says which of the two databases a message is about. */
async function withFlag<Result>(
	flag: string,
	use: () => Awaitable<Result>,
): Promise<Result> {
	try {
		return await use();
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		throw new OperatorError(`${flag}: ${error.message}`, error.exitStatus);
	}
}
