// `petstore usage`: who calls what, how often and how fast, also while the service runs on the same database.
import { Command, Option } from "@commander-js/extra-typings";
import {
	compareSums,
	toRange,
	toRow,
} from "../../../api/operator/usage/read-usage.ts";
import {
	maxUsageRows,
	type UsageGroups,
	unitMs,
} from "../../../contract/operator/usage.ts";
import type { StoreReader } from "../../../store/store.ts";
import { databaseOption, readWhen, refuse } from "../../flags.ts";
import { print, printJson, say } from "../../terminal/print.ts";
import { withStoreReader } from "../../with-store.ts";
import {
	nameKeys,
	reportDeprecated,
	type Subject,
	subjects,
	toLines,
} from "./lines.ts";

export const usageCommand = new Command("usage")
	.description("show who calls what, how often and how fast")
	.addOption(
		new Option("--by <what>", "what each line is about")
			.choices(subjects)
			.default("operation" as const),
	)
	.option(
		"--from <when>",
		"30d, 12h, a date like 2026-11-01, or a time (default: 30 days before the end)",
		toTime,
	)
	.option("--to <when>", "the end, in the same forms (default: now)", toTime)
	.addOption(
		new Option(
			"--deprecated",
			"show who still calls operations that are to be removed",
		).conflicts(["by", "from", "to"]),
	)
	.option("--json", "print one JSON object")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
A running service adds what it has counted every 10 seconds.

Examples:
  petstore usage --by key --from 7d
  petstore usage --deprecated`,
	);

type UsageFlags = ReturnType<typeof usageCommand.opts>;

usageCommand.action((flags) =>
	withStoreReader(flags, (store) =>
		flags.deprecated
			? reportDeprecated(store, flags.json)
			: report(store, flags),
	),
);

async function report(store: StoreReader, flags: UsageFlags): Promise<void> {
	const groups = toGroups(flags.by);
	const { to = Date.now() } = flags;
	const from = flags.from ?? to - 30 * unitMs.day;
	const range = toRange({ from, to, ...groups }, Date.now());
	const limit = maxUsageRows;
	const sums = await store.usage.read({ ...range, ...groups, limit });
	const sorted = sums.toSorted(compareSums);
	if (flags.json)
		return printJson({ rows: sorted.map((s) => toRow(s, groups)) });
	if (sums.length === 0) return say("There were no requests in this time.");
	print(toLines(await nameKeys(store, sorted), flags.by));
}

function toGroups(by: Subject): UsageGroups {
	return by === "day" ? { by: [], unit: "day" } : { by: [by], unit: undefined };
}

function toTime(text: string): number {
	return (
		readWhen(text, Date.now(), -1) ??
		refuse("a time like 30d, 12h, 2026-11-01 or 2026-11-01T08:30:00Z")
	);
}
