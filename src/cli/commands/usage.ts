// `petstore usage`: who calls what, how often and how fast, also while the service runs on the same database.
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
	usageDaysMs,
} from "../../contract/operator/usage-groups.ts";
import { operations } from "../../contract/v1/operations.ts";
import { toTimeText } from "../../domain/time.ts";
import type { StoreReader } from "../../store/store.ts";
import { startOf, type UsageSum } from "../../store/usage.ts";
import { toQuantileMs } from "../../usage/quantile.ts";
import { databaseOption, readWhen, refuse } from "../flags.ts";
import { print, printJson, say } from "../terminal/print.ts";
import { cutTo, toQuantity, toTable } from "../terminal/table.ts";
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
	if (sums.length === 0) return say("No requests in this time.");
	const named = await nameKeys(store, sorted);
	const most = Math.max(...sums.map(({ requests }) => requests));
	print(toTable(named.map((sum) => toLine(sum, flags.by, most))));
}

function toGroups(by: UsageFlags["by"]): UsageGroups {
	return by === "day" ? { by: [], unit: "day" } : { by: [by], unit: undefined };
}

function toTime(text: string): number {
	return (
		readWhen(text, Date.now(), -1) ??
		refuse("a time like 30d, 12h, 2026-11-01 or 2026-11-01T08:30:00Z")
	);
}

/** At most 80 columns, with a bar for the share of the line. */
function toLine(sum: NamedSum, by: UsageFlags["by"], most: number) {
	const share = Math.max(1, Math.round((sum.requests / most) * barWidth));
	return {
		...(by === "operation" && { operation: sum.operation }),
		...(by === "day" && { day: toDay(sum.at) }),
		...(by === "key" && toKeyColumns(sum)),
		requests: sum.requests,
		errors: sum.errors,
		"p50 ms": toQuantileMs(sum.durations, 0.5) ?? "",
		"p99 ms": toQuantileMs(sum.durations, 0.99) ?? "",
		"": "█".repeat(share),
	};
}

const barWidth = 10;
const nameWidth = 16;

function toDay(time: number): string {
	return toTimeText(time).slice(0, 10);
}

/** A key that is not stored has a name for its id. */
function toKeyColumns({ key, name }: NamedSum) {
	return {
		key: isStored(key) ? key : "",
		name: cutTo(isStored(key) || key === "" ? name : key, nameWidth),
	};
}

function isStored(key: string): boolean {
	return /^\d+$/.test(key);
}

interface NamedSum extends UsageSum {
	/** Of its key. */
	readonly name: string;
}

async function nameKeys(
	store: StoreReader,
	sums: readonly UsageSum[],
): Promise<readonly NamedSum[]> {
	const names = new Map(
		(await store.keys.list()).map(({ id, name }) => [String(id), name]),
	);
	return sums.map((sum) => ({
		...sum,
		name: sum.key === "" ? "(no valid key)" : (names.get(sum.key) ?? ""),
	}));
}

/** Who still calls operations that are to be removed, with the time that callers have left. */
async function reportDeprecated(
	store: StoreReader,
	json: boolean | undefined,
): Promise<void> {
	const now = Date.now();
	const reports = [];
	for (const [operation, { deprecation }] of Object.entries(operations)) {
		if (deprecation === undefined) continue;
		const sunset = deprecation.sunset.getTime();
		const daysLeft = Math.max(0, Math.ceil((sunset - now) / unitMs.day));
		const callers = await findCallers(store, operation, now);
		if (json) {
			const views = callers.map((caller) => toView(caller, now));
			const times = { sunset: toTimeText(sunset), daysLeft };
			reports.push({ operation, ...times, callers: views });
			continue;
		}
		say(
			`${operation} is to be removed on ${toDay(sunset)}, in ${toQuantity(daysLeft, "day")}.`,
		);
		if (callers.length === 0)
			say(`No calls in the last ${usageDaysMs / unitMs.day} days.`);
		else print(toTable(callers.map((caller) => toCallerLine(caller, now))));
	}
	if (json) printJson({ operations: reports });
}

/** The most recent callers come first. */
async function findCallers(
	store: StoreReader,
	operation: string,
	now: number,
): Promise<readonly NamedSum[]> {
	const from = startOf(now - usageDaysMs, "day");
	const sums = await store.usage.read({
		...{ period: "day", from, to: now },
		...{ by: ["key"], unit: undefined, operation, limit: maxUsageRows },
	});
	return (await nameKeys(store, sums)).toSorted(
		(one, other) => other.lastAt - one.lastAt || other.requests - one.requests,
	);
}

/** On average since the day of the first call. */
function toCallsPerDay({ requests, firstAt }: NamedSum, now: number): number {
	const days = Math.max(1, (startOf(now, "day") - firstAt) / unitMs.day);
	return Math.round((requests / days) * 10) / 10;
}

function toView(caller: NamedSum, now: number) {
	const { key, name, requests, firstAt, lastAt } = caller;
	return {
		key: toKey(key),
		...(isStored(key) && { name }),
		requests,
		requestsPerDay: toCallsPerDay(caller, now),
		firstUsedAt: toTimeText(firstAt),
		lastUsedAt: toTimeText(lastAt),
	};
}

/** Times are the days on which it was called. */
function toCallerLine(caller: NamedSum, now: number) {
	return {
		...toKeyColumns(caller),
		calls: caller.requests,
		"a day": toCallsPerDay(caller, now),
		first: toDay(caller.firstAt),
		last: toDay(caller.lastAt),
	};
}
