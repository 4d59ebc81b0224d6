// `petstore history`: who changed, removed or restored animals. Works while the service runs on the same database.
import { Command } from "@commander-js/extra-typings";
import { entryToJson } from "../../api/operator/history/list-history.ts";
import { maxPageSize } from "../../contract/schemas.ts";
import type { Author } from "../../domain/author.ts";
import { OperatorError } from "../../domain/errors.ts";
import { maxInt64 } from "../../domain/json.ts";
import { toTimeText } from "../../domain/time.ts";
import type {
	HistoryEntry,
	HistoryPage,
	HistoryQuery,
} from "../../store/history.ts";
import { databaseOption, limitOption, toMoreText } from "../flags.ts";
import { print, printJsonLines, say } from "../terminal/print.ts";
import { toTable } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";
import { noAnimal, toId, toShownName } from "./pets/flags.ts";

export const command = new Command("history")
	.argument("[id]", "only this animal, with its add", toId)
	.option(
		"--by <who>",
		"only changes by this name, key id, import id, link or command line",
	)
	.addOption(limitOption)
	.option("--json", "print a JSON array")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
BEFORE is the earlier version. Put it back with "pets restore".

Examples:
  petstore history
  petstore history 17 --json
  petstore history --by Ada --limit 100`,
	)
	.action(async (petId, { by, limit, ...flags }) => {
		if (petId !== undefined && by !== undefined)
			throw new OperatorError("Give either --by or an animal.", 2);
		const { entries, next } = await withStoreReader(flags, ({ history }) =>
			readUpTo(limit, async (query) => {
				if (petId === undefined) return history.readAll({ ...query, by });
				const page = await history.readOf(petId, query);
				if (page === undefined) throw noAnimal(petId);
				return page;
			}),
		);
		if (flags.json) return printJsonLines(entries.map(entryToJson));
		if (entries.length === 0) return say("No change found.");
		print(toTable(entries.map(toLine), "change"));
		if (next !== undefined) say(toMoreText("changes", limit));
	});

async function readUpTo(
	limit: number,
	read: (query: HistoryQuery) => Promise<HistoryPage>,
): Promise<HistoryPage> {
	const entries: HistoryEntry[] = [];
	for (let maxPosition = maxInt64; ; ) {
		const size = Math.min(limit - entries.length, maxPageSize);
		const { next, ...page } = await read({ maxPosition, limit: size });
		entries.push(...page.entries);
		if (next === undefined || entries.length === limit)
			return { entries, next };
		maxPosition = next - 1n;
	}
}

function toLine({ petId, kind, at, by, before, pet }: HistoryEntry) {
	return {
		"time (UTC)":
			at === undefined ? "" : toTimeText(at).slice(0, 19).replace("T", " "),
		animal: `${petId}`,
		kind,
		by: by === undefined ? "" : toAuthorText(by),
		before: before === undefined ? "" : `${before.version}`,
		change: toChangeText(before, pet),
	};
}

function toAuthorText({ kind, id, name }: Author): string {
	if (kind === "command line") return kind;
	const what = id === undefined ? kind : `${kind} ${id}`;
	return name === undefined ? what : `${name} (${what})`;
}

/** The members that differ, or the name of an animal that was added or removed. */
function toChangeText(
	before: HistoryEntry["before"],
	pet: HistoryEntry["pet"],
): string {
	const shown = before ?? pet;
	if (before === undefined || pet === undefined)
		return shown === undefined ? "" : toShownName(shown.name);
	const members = [
		["name", toShownName(before.name), toShownName(pet.name)],
		["category", before.categoryId, pet.categoryId],
		["status", before.status, pet.status],
	];
	return members
		.filter(([, from, to]) => from !== to)
		.map(([member, from, to]) => `${member} ${from} → ${to}`)
		.join(", ");
}
