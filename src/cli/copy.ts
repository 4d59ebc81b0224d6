// `petstore copy`: everything from one database to another, between any two engines.
import type { Command } from "commander";
import { OperatorError } from "../contract/errors.ts";
import { openStore } from "../store/open.ts";
import type { Piece } from "../store/store.ts";
import { say } from "./print.ts";
import { createProgress } from "./progress.ts";

export function addCopy(program: Command): void {
	program
		.command("copy")
		.description(
			"copy animals, keys and Idempotency-Keys to an empty database; all of it or nothing",
		)
		.requiredOption(
			"--from <url>",
			"database to copy, which keeps all that it holds",
		)
		.requiredOption("--to <url>", "empty database to copy to")
		.addHelpText(
			"after",
			`
Stop the service first: what is added to the old database while it is copied is not copied.

Examples:
  petstore copy --from sqlite:data/petstore.db --to postgres://petstore:PASSWORD@db.example/petstore`,
		)
		.action(copy);
}

async function copy({ from, to }: { from: string; to: string }): Promise<void> {
	if (from === to)
		throw new OperatorError("--from and --to name the same database.", 2);
	const source = await openStore(from, { create: false });
	try {
		const target = await openStore(to, { create: true });
		try {
			const counts = { pets: 0, keys: 0, idempotency: 0 };
			await target.writeAll(counted(source.readAll(), counts));
			say(
				`Copied ${counts.pets} animals, ${counts.keys} keys and ${counts.idempotency} Idempotency-Keys.`,
			);
		} finally {
			await target.close();
		}
	} finally {
		await source.close();
	}
}

/** Passes the pieces on, counts them and shows how far it is: ids tell, since animals come in their order. */
async function* counted(
	pieces: AsyncIterable<Piece>,
	counts: Record<"pets" | "keys" | "idempotency", number>,
): AsyncGenerator<Piece> {
	let showProgress = createProgress(0n);
	for await (const piece of pieces) {
		yield piece;
		if (piece.kind === "position") {
			showProgress = createProgress(piece.lastId);
			continue;
		}
		counts[piece.kind] += piece.rows.length;
		if (piece.kind === "pets") showProgress(piece.rows.at(-1)?.id, counts.pets);
	}
}
