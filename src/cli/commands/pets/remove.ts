// `petstore pets remove`: removes animals, all or none. Asks first on a terminal.
import { Command } from "@commander-js/extra-typings";
import { maxChanges } from "../../../contract/operator/pets/schemas.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toCountText, toQuantity } from "../../../domain/quantity.ts";
import { databaseOption } from "../../flags.ts";
import { canAsk, confirm } from "../../terminal/confirm.ts";
import { say } from "../../terminal/print.ts";
import {
	type DatabaseFlags,
	explainFailure,
	withStore,
	withStoreReader,
} from "../../with-store.ts";
import { noAnimal, toId, toShownName } from "./flags.ts";

export const removeCommand = new Command("remove")
	.description("remove animals, all of them or none")
	.argument(
		"<id...>",
		"ids of the animals",
		(text: string, previous: readonly bigint[] = []) => [
			...previous,
			toId(text),
		],
	)
	.option("--yes", "do not ask for confirmation")
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
				`pets remove takes at most ${toCountText(maxChanges)} animals at once; remove the others after them.`,
				2,
			);
		if (!flags.yes) await requireYes(ids, flags);
		const done =
			ids.length === 1
				? "the animal was removed"
				: "the animals were removed, all of them or none";
		const removed = await withStore(flags, ({ catalogue }) =>
			catalogue.changePets(ids.map((petId) => ({ petId, set: undefined }))),
		).catch(explainFailure(done));
		if (removed.outcome !== "changed")
			throw noAnimal(ids[removed.index] ?? 0n, ", so nothing was removed");
		say(`Removed ${toSubject(ids.map(String))}.`);
	});

/** Refuses missing ids before it asks. */
async function requireYes(
	ids: readonly bigint[],
	flags: DatabaseFlags,
): Promise<void> {
	if (!canAsk())
		throw new OperatorError(
			"pets remove cannot ask for confirmation without a terminal; add --yes to remove.",
			2,
		);
	const titles: string[] = [];
	await withStoreReader(flags, async ({ catalogue }) => {
		for (const id of ids) {
			const pet = await catalogue.getPet(id);
			if (pet === undefined) throw noAnimal(id, ", so nothing was removed");
			titles.push(`${id} ${toShownName(pet.name)}`);
		}
	});
	if (!(await confirm(`Remove ${toSubject(titles)}?`)))
		throw new OperatorError("Nothing was removed.");
}

function toSubject(titles: readonly string[]): string {
	if (titles.length === 1)
		return `animal ${titles[0]?.replace(/ (.*)$/s, " ($1)")}`;
	const first = titles.slice(0, 5).join(", ");
	return `${toQuantity(titles.length, "animal")} (${first}${titles.length > 5 ? ", …" : ""})`;
}
