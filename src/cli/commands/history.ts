// `petstore history`: who changed, removed or put back animals, also while the service runs on the same database.
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
import { databaseOption, wholeNumber } from "../flags.ts";
import { print, printJsonLines, say } from "../terminal/print.ts";
import { cutTo, toTable, widthOf } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";
import { noAnimal, toId, toShownName } from "./pets/flags.ts";

export const historyCommand = new Command("history")
	.argument("[id]", "only this animal, with its add", toId)
	.option(
		"--by <who>",
		"only changes by this name, key id, import id, link or command line",
	)
	.option(
		"--limit <number>",
		"how many at most",
		wholeNumber(1, 999_999_999, "a whole number from 1 upward"),
		20,
	)
	.option("--json", "print a JSON array")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
BEFORE is the version that the animal had before. Put it back with pets restore.

Examples:
  petstore history
  petstore history 17 --json
  petstore history --by Ada --limit 100`,
	)
	.action(async (petId, { by, limit, ...flags }) => {
		if (petId !== undefined && by !== undefined)
			throw new OperatorError("--by cannot be used with an animal.", 2);
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
		print(toTable(toLines(entries)));
		if (next !== undefined)
			say(`More changes match; use --limit ${limit * 10} to see more of them.`);
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

/** On a terminal, the last column is cut so that a line fits into 80 columns if the others leave room. */
function toLines(entries: readonly HistoryEntry[]) {
	const rows = entries.map(({ petId, kind, at, by, ...contents }) => ({
		"time (UTC)":
			at === undefined ? "" : toTimeText(at).slice(0, 19).replace("T", " "),
		animal: `${petId}`,
		kind,
		by: by === undefined ? "" : toAuthorText(by),
		before: contents.before === undefined ? "" : `${contents.before.version}`,
		change: toChangeText(contents),
	}));
	const widest = (column: "animal" | "by" | "before") =>
		Math.max(column.length, ...rows.map((row) => widthOf(row[column])));
	const others =
		19 + widest("animal") + 7 + widest("by") + widest("before") + 5 * 2;
	const room = process.stdout.isTTY ? Math.max(20, 80 - others) : Infinity;
	return rows.map((row) => ({ ...row, change: cutTo(row.change, room) }));
}

function toAuthorText({ kind, id, name }: Author): string {
	if (kind === "command line") return kind;
	const what = id === undefined ? kind : `${kind} ${id}`;
	return name === undefined ? what : `${name} (${what})`;
}

/** The members that differ, or the name of an animal that was added or removed. */
function toChangeText({
	before,
	pet,
}: Pick<HistoryEntry, "before" | "pet">): string {
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
