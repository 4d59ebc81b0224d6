// A row of usage as the operator interface shows it, and the order of rows.

import { toTimeText } from "../../contract/time.ts";
import type { UsageGroups } from "../../contract/usage-groups.ts";
import type { UsageSum } from "../../store/usage.ts";
import { toQuantileMs } from "../../usage/quantile.ts";

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
