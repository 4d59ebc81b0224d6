// `petstore pets remove`: removes animals, all of them or none. It asks first on a terminal.
import { Command } from "@commander-js/extra-typings";
import { maxChanges } from "../../../contract/operator/pets/schemas.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { databaseOption } from "../../flags.ts";
import { canAsk, confirm } from "../../terminal/confirm.ts";
import { say } from "../../terminal/print.ts";
import {
	type DatabaseFlags,
	withStore,
	withStoreReader,
} from "../../with-store.ts";
import { noAnimal, toCommandFailure, toId, toShownName } from "./options.ts";

export const removeCommand = new Command("remove")
	.description("remove animals, all of them or none")
	.argument("<id...>", "the ids of the animals", toIds)
	.option("--yes", "do not ask")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Examples:
  petstore pets remove 17
  petstore pets remove 17 18 19 --yes`,
	)
	.action(async (given, flags) => {
		const ids = [...new Set(given)];
		if (ids.length > maxChanges)
			throw new OperatorError(
				`remove takes at most ${maxChanges} animals at once.`,
				2,
			);
		if (!(await isAllowed(ids, flags)))
			throw new OperatorError("Nothing was removed.");
		const removed = await withStore(flags, { create: false }, ({ catalogue }) =>
			catalogue.changePets(ids.map((petId) => ({ petId, set: undefined }))),
		).catch((error) => {
			throw toCommandFailure(
				error,
				ids.length === 1
					? "the animal was removed"
					: "the animals were removed, all of them or none",
			);
		});
		if (removed.outcome !== "changed")
			throw noAnimal(ids[removed.index] ?? 0n, ", so nothing was removed");
		say(`Removed ${toSubject(ids)}.`);
	});

/** One after the other. */
function toIds(text: string, previous: readonly bigint[] = []): bigint[] {
	return [...previous, toId(text)];
}

async function isAllowed(
	ids: readonly bigint[],
	flags: DatabaseFlags & { yes?: true },
): Promise<boolean> {
	if (flags.yes) return true;
	if (canAsk()) {
		const names = await readNames(ids, flags);
		return confirm(`Remove ${toSubject(ids, names)}?`);
	}
	throw new OperatorError(
		"remove cannot ask without a terminal; add --yes to remove without a question.",
		2,
	);
}

/** Refuses ids that do not exist before anyone is asked about them. */
function readNames(
	ids: readonly bigint[],
	flags: DatabaseFlags,
): Promise<string[]> {
	return withStoreReader(flags, async ({ catalogue }) => {
		const names: string[] = [];
		for (const id of ids) {
			const pet = await catalogue.getPet(id);
			if (pet === undefined) throw noAnimal(id, ", so nothing was removed");
			names.push(toShownName(pet.name));
		}
		return names;
	});
}

function toSubject(
	ids: readonly bigint[],
	names: readonly string[] = [],
): string {
	if (ids.length === 1)
		return `animal ${ids[0]}${names.length === 1 ? ` (${names[0]})` : ""}`;
	const first = ids.slice(0, 5).map((id, index) => toTitle(id, names[index]));
	return `${ids.length} animals (${first.join(", ")}${ids.length > 5 ? ", …" : ""})`;
}

function toTitle(id: bigint, name: string | undefined): string {
	return name === undefined ? String(id) : `${id} ${name}`;
}
