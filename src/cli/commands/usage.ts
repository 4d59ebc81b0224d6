// `petstore usage`: who calls what, how often and how fast. Works while the service runs on the same database.
import { Command, Option } from "@commander-js/extra-typings";
import {
	compareSums,
	toKey,
	toRange,
	toRow,
} from "../../api/operator/usage/read-usage.ts";
import {
	maxUsageRows,
	type UsageGroups,
	unitMs,
	usageKeptMs,
} from "../../contract/operator/usage.ts";
import { operations } from "../../contract/v1/operations.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toTimeText } from "../../domain/time.ts";
import type { StoreReader } from "../../store/store.ts";
import { startOf, type UsageSum } from "../../store/usage.ts";
import { toQuantileMs } from "../../usage/quantile.ts";
import { databaseOption, readWhen, refuse } from "../flags.ts";
import { print, printJson, say } from "../terminal/print.ts";
import { cutTo, toTable } from "../terminal/table.ts";
import { withStoreReader } from "../with-store.ts";

export const command = new Command("usage")
	.addOption(
		new Option("--by <what>", "group the requests by this")
			.choices(["operation", "key", "day"])
			.default("operation" as const),
	)
	.option(
		"--from <when>",
		"start: 30d, 12h, a date like 2026-11-01, or a time (default: 30 days before the end)",
		toTime,
	)
	.option("--to <when>", "end, in the same forms (default: now)", toTime)
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
A running service stores its counts every 10 seconds.

Examples:
  petstore usage --by key --from 7d
  petstore usage --deprecated`,
	);

type UsageFlags = ReturnType<typeof command.opts>;

command.action((flags) =>
	withStoreReader(flags, (store) =>
		flags.deprecated
			? reportDeprecated(store, flags.json)
			: report(store, flags),
	),
);

function toTime(text: string): number {
	return (
		readWhen(text, Date.now(), -1) ??
		refuse(
			"a duration like 30d or 12h, a date like 2026-11-01, or a time like 2026-11-01T08:30:00Z",
		)
	);
}

async function report(store: StoreReader, flags: UsageFlags): Promise<void> {
	const { by, to = Date.now(), from = to - 30 * unitMs.day } = flags;
	const groups: UsageGroups =
		by === "day" ? { by: [], unit: "day" } : { by: [by], unit: undefined };
	const range = toRange({ from, to, ...groups }, Date.now());
	const limit = maxUsageRows;
	const read = await store.usage.read({ ...range, ...groups, limit });
	const sums = read.toSorted(compareSums);
	if (flags.json) return printJson({ rows: sums.map((s) => toRow(s, groups)) });
	if (sums.length === 0) return say("No requests in this time.");
	const nameOf = await readNames(store);
	const most = Math.max(...sums.map(({ requests }) => requests));
	/** At most 80 columns, with a bar relative to the largest row. */
	const toLine = ({ operation, at, key, ...sum }: UsageSum) => ({
		...(by === "operation" && { operation }),
		...(by === "day" && { day: toDay(at) }),
		...(by === "key" && toKeyColumns(key, nameOf(key))),
		requests: sum.requests,
		errors: sum.errors,
		"p50 ms": toQuantileMs(sum.durations, 0.5) ?? "",
		"p99 ms": toQuantileMs(sum.durations, 0.99) ?? "",
		"": "█".repeat(Math.max(1, Math.round((sum.requests / most) * 10))),
	});
	print(toTable(sums.map(toLine)));
}

function toDay(time: number): string {
	return toTimeText(time).slice(0, 10);
}

/** Returns the name of a stored key by its id; undefined for other keys. */
async function readNames({ keys }: StoreReader) {
	const listed = await keys.list();
	const names = new Map(listed.map(({ id, name }) => [id, name]));
	return (key: string): string | undefined => {
		const id = toKey(key);
		return typeof id === "number" ? (names.get(id) ?? "") : undefined;
	};
}

/** A key that is not stored has a name instead of an id. */
function toKeyColumns(key: string, name: string | undefined) {
	const shown = name ?? (key || "(no valid key)");
	return { key: name === undefined ? "" : key, name: cutTo(shown, 16) };
}

/** The callers of deprecated operations, with the days that they have left. */
async function reportDeprecated(
	store: StoreReader,
	json: boolean | undefined,
): Promise<void> {
	const now = Date.now();
	const nameOf = await readNames(store);
	const reports = [];
	for (const [operation, { deprecation }] of Object.entries(operations)) {
		if (deprecation === undefined) continue;
		const sunset = deprecation.sunset.getTime();
		const daysLeft = Math.max(0, Math.ceil((sunset - now) / unitMs.day));
		const callers = await findCallers(store, operation, now);
		if (json) {
			reports.push({
				operation,
				sunset: toTimeText(sunset),
				daysLeft,
				callers: callers.map(({ key, firstAt, lastAt, ...calls }) => ({
					key: toKey(key),
					name: nameOf(key),
					...calls,
					firstUsedAt: toTimeText(firstAt),
					lastUsedAt: toTimeText(lastAt),
				})),
			});
			continue;
		}
		say(
			`${operation} is to be removed on ${toDay(sunset)}, in ${toQuantity(daysLeft, "day")}.`,
		);
		const lines = callers.map((caller) => ({
			...toKeyColumns(caller.key, nameOf(caller.key)),
			calls: caller.requests,
			"a day": caller.requestsPerDay,
			first: toDay(caller.firstAt),
			last: toDay(caller.lastAt),
		}));
		if (lines.length > 0) print(toTable(lines));
		else say(`No calls in the last ${usageKeptMs.day / unitMs.day} days.`);
	}
	if (json) printJson({ operations: reports });
}

/** Most recent callers first. Times are the days of the calls. */
async function findCallers(
	{ usage }: StoreReader,
	operation: string,
	now: number,
) {
	const sums = await usage.read({
		period: "day",
		from: startOf(now - usageKeptMs.day, "day"),
		to: now,
		by: ["key"],
		unit: undefined,
		operation,
		limit: maxUsageRows,
	});
	const byRecency = (one: UsageSum, other: UsageSum) =>
		other.lastAt - one.lastAt || other.requests - one.requests;
	return sums.toSorted(byRecency).map(({ key, requests, firstAt, lastAt }) => {
		const days = Math.max(1, (startOf(now, "day") - firstAt) / unitMs.day);
		const requestsPerDay = Math.round((requests / days) * 10) / 10;
		return { key, requests, requestsPerDay, firstAt, lastAt };
	});
}
