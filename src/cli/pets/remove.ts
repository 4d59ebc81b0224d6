// `petstore pets remove`: removes animals, all of them or none. It asks first on a terminal.
import type { Command } from "commander";
import { OperatorError } from "../../contract/errors.ts";
import { maxChanges } from "../../contract/operator/pets/changes.ts";
import { canAsk, confirm } from "../confirm.ts";
import { type DatabaseFlags, databaseOption } from "../options.ts";
import { say } from "../print.ts";
import { withStore } from "../with-store.ts";
import { toCommandFailure } from "./change-failure.ts";
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
	if (!(await isAllowed(ids, flags))) return say("Nothing was removed.");
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
	{ yes }: RemoveFlags,
): Promise<boolean> {
	if (yes) return true;
	if (canAsk()) return confirm(`Remove ${toSubject(ids)}?`);
	throw new OperatorError(
		"remove cannot ask without a terminal; add --yes to remove without a question.",
		2,
	);
}

function toSubject(ids: readonly bigint[]): string {
	return ids.length === 1
		? `animal ${ids[0]}`
		: `${ids.length} animals (${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""})`;
}
