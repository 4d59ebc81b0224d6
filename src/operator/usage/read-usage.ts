// readUsage: how often each operation was called, by whom, with which status and how fast.
import { httpStatus } from "../../contract/operation.ts";
import {
	maxUsageRows,
	usageBy,
	usageFrom,
	usageTo,
} from "../../contract/operator/usage.ts";
import { readParameter } from "../../contract/parameter.ts";
import { toTimeText } from "../../contract/time.ts";
import type { UsageGroups } from "../../contract/usage-groups.ts";
import type { Route } from "../../http/surface.ts";
import type { Usage, UsageSum } from "../../store/usage.ts";
import { toQuantileMs } from "../../usage/quantile.ts";
import { toRange } from "./range.ts";

/** `flush` adds the counts of this process to the store, so that a caller sees its own requests. */
export function readUsage(
	usage: Pick<Usage, "read">,
	flush: () => Promise<void>,
): Route["handle"] {
	return async ({ query, headers }) => {
		const groups = readParameter(query, usageBy);
		const range = toRange(
			{
				from: readParameter(query, usageFrom),
				to: readParameter(query, usageTo),
				...groups,
			},
			Date.now(),
		);
		await flush();
		const limit = maxUsageRows;
		const sums = await usage.read({ ...range, ...groups, limit });
		const rows = sums.toSorted(compareSums).map((sum) => toRow(sum, groups));
		return { status: httpStatus.ok, headers, body: JSON.stringify({ rows }) };
	};
}

/** Members that are undefined are left out of the JSON text. */
export function toRow(sum: UsageSum, { by, unit }: UsageGroups): object {
	const { at, operation, key, status, requests, errors, durations } = sum;
	return {
		...(unit !== undefined && { [unit]: toTimeText(at) }),
		...(by.includes("operation") && { operation }),
		...(by.includes("key") && { key: toKey(key) }),
		...(by.includes("status") && { status }),
		requests,
		errors,
		p50Ms: toQuantileMs(durations, 0.5),
		p99Ms: toQuantileMs(durations, 0.99),
	};
}

/** The id of a stored key as a number, the name of another, undefined for callers without a valid key. */
export function toKey(text: string): number | string | undefined {
	if (text === "") return undefined;
	return /^\d+$/.test(text) ? Number(text) : text;
}

/** By time, operation, key and status. Ids of keys come before names, and no key comes first. */
export function compareSums(one: UsageSum, other: UsageSum): number {
	return (
		one.at - other.at ||
		compareTexts(one.operation, other.operation) ||
		compareKeys(toKey(one.key), toKey(other.key)) ||
		one.status - other.status
	);
}

function compareKeys(
	one: ReturnType<typeof toKey>,
	other: ReturnType<typeof toKey>,
): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	return rankOf(one) - rankOf(other) || compareTexts(`${one}`, `${other}`);
}

function rankOf(key: ReturnType<typeof toKey>): number {
	if (key === undefined) return 0;
	return typeof key === "number" ? 1 : 2;
}

function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
