// `petstore usage --deprecated`: who still calls operations that are to be removed, and how long they have.
import type { Deprecation } from "../../contract/operation.ts";
import {
	maxUsageRows,
	unitMs,
	usageDaysMs,
} from "../../contract/operator/usage.ts";
import { toTimeText } from "../../contract/time.ts";
import { operations } from "../../contract/v1/operations.ts";
import { toKey } from "../../operator/usage/read-usage.ts";
import type { StoreReader } from "../../store/store.ts";
import { startOf } from "../../store/usage.ts";
import { print, printJson, say } from "../print.ts";
import { toTable } from "../table.ts";
import { toKeyColumns } from "./lines.ts";
import { type NamedSum, nameKeys } from "./named-sums.ts";

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
			say(`Nobody has called it in the last ${usageDaysMs / unitMs.day} days.`);
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

/** Those who have called it last come first. */
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
