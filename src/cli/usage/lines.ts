// The usage as a table for people: at most 80 columns, with a bar for the share of each line.
import { toTimeText } from "../../contract/time.ts";
import type { StoreReader } from "../../store/store.ts";
import type { UsageSum } from "../../store/usage.ts";
import { toQuantileMs } from "../../usage/quantile.ts";
import { cutTo, toTable } from "../layout.ts";

/** What each line is about. */
export const subjects = ["operation", "key", "day"] as const;
export type Subject = (typeof subjects)[number];

const barWidth = 10;
const nameWidth = 16;

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
export function toKeyColumns({ key, name }: NamedSum): Record<string, string> {
	const isStored = /^\d+$/.test(key);
	return {
		key: isStored ? key : "",
		name: cutTo(isStored || key === "" ? name : key, nameWidth),
	};
}

function toBar(requests: number, most: number): string {
	return "█".repeat(Math.max(1, Math.round((requests / most) * barWidth)));
}

export interface NamedSum extends UsageSum {
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
