// `petstore pets remove`: removes animals, all of them or none. It asks first on a terminal.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { maxChanges } from "../../contract/operator/pets/schemas.ts";
import { canAsk, confirm } from "../confirm.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { say } from "../print.ts";
import { withStore, withStoreReader } from "../with-store.ts";
import { toCommandFailure } from "./change-failure.ts";
import { toShownName } from "./get.ts";
import { noAnimal, toIds } from "./options.ts";

export function addRemove(pets: Command): void {
	const command = pets
		.command("remove")
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
		.action((ids: readonly bigint[]) =>
			removePets([...new Set(ids)], command.optsWithGlobals<RemoveFlags>()),
		);
}

interface RemoveFlags extends DatabaseFlags {
	readonly yes?: true;
}

async function removePets(
	ids: readonly bigint[],
	flags: RemoveFlags,
): Promise<void> {
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
}

async function isAllowed(
	ids: readonly bigint[],
	flags: RemoveFlags,
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
