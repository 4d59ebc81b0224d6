// The usage for people: as a table, and who still calls operations that are to be removed.

import { toKey } from "../../../api/operator/usage/read-usage.ts";
import type { Deprecation } from "../../../contract/operation.ts";
import {
	maxUsageRows,
	unitMs,
	usageDaysMs,
} from "../../../contract/operator/usage.ts";
import { operations } from "../../../contract/v1/operations.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { StoreReader } from "../../../store/store.ts";
import { startOf, type UsageSum } from "../../../store/usage.ts";
import { toQuantileMs } from "../../../usage/quantile.ts";
import { print, printJson, say } from "../../terminal/print.ts";
import { cutTo, toTable } from "../../terminal/table.ts";

/** What each line is about. */
export const subjects = ["operation", "key", "day"] as const;
export type Subject = (typeof subjects)[number];

const barWidth = 10;
const nameWidth = 16;

/** At most 80 columns, with a bar for the share of each line. */
export function toLines(sums: readonly NamedSum[], by: Subject): string {
	const most = Math.max(...sums.map(({ requests }) => requests));
	return toTable(
		sums.map((sum) => ({
			...toSubject(sum, by),
			requests: sum.requests,
			errors: sum.errors,
			"p50 ms": toQuantileMs(sum.durations, 0.5) ?? "",
			"p99 ms": toQuantileMs(sum.durations, 0.99) ?? "",
			"": toBar(sum.requests, most),
		})),
	);
}

function toSubject(sum: NamedSum, by: Subject): Record<string, string> {
	if (by === "operation") return { operation: sum.operation };
	if (by === "day") return { day: toTimeText(sum.at).slice(0, 10) };
	return toKeyColumns(sum);
}

/** A key that is not stored has a name for its id. */
function toKeyColumns({ key, name }: NamedSum): Record<string, string> {
	const isStored = /^\d+$/.test(key);
	return {
		key: isStored ? key : "",
		name: cutTo(isStored || key === "" ? name : key, nameWidth),
	};
}

function toBar(requests: number, most: number): string {
	return "█".repeat(Math.max(1, Math.round((requests / most) * barWidth)));
}

interface NamedSum extends UsageSum {
	/** Of its key. */
	readonly name: string;
}

export async function nameKeys(
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

/** With the time that callers have left. */
export async function reportDeprecated(
	store: StoreReader,
	json: boolean | undefined,
): Promise<void> {
	const now = Date.now();
	const reports = [];
	for (const [operation, { deprecation }] of Object.entries(operations))
		if (deprecation !== undefined)
			reports.push({
				operation,
				...toSunset(deprecation, now),
				callers: await findCallers(store, operation, now),
			});
	if (json)
		return printJson({
			operations: reports.map(({ callers, ...report }) => ({
				...report,
				callers: callers.map((caller) => toView(caller, now)),
			})),
		});
	for (const { operation, sunset, daysLeft, callers } of reports) {
		say(
			`${operation} is to be removed on ${sunset.slice(0, 10)}, in ${daysLeft} days.`,
		);
		if (callers.length === 0)
			say(`No calls in the last ${usageDaysMs / unitMs.day} days.`);
		else print(toTable(callers.map((caller) => toLine(caller, now))));
	}
}

function toSunset({ sunset }: Deprecation, now: number) {
	const daysLeft = Math.ceil((sunset.getTime() - now) / unitMs.day);
	return {
		sunset: toTimeText(sunset.getTime()),
		daysLeft: Math.max(0, daysLeft),
	};
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
		...(/^\d+$/.test(key) && { name }),
		requests,
		requestsPerDay: toCallsPerDay(caller, now),
		firstUsedAt: toTimeText(firstAt),
		lastUsedAt: toTimeText(lastAt),
	};
}

/** Times are the days on which it was called. */
function toLine(caller: NamedSum, now: number) {
	return {
		...toKeyColumns(caller),
		calls: caller.requests,
		"a day": toCallsPerDay(caller, now),
		first: toTimeText(caller.firstAt).slice(0, 10),
		last: toTimeText(caller.lastAt).slice(0, 10),
	};
}
