// How often each operation was called, as the operator interface counts it.
import { toTimeText } from "../../../contract/time.ts";
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import {
	optional,
	toList,
	toMembers,
	toNumber,
	toText,
	toTime,
} from "./values.ts";

export type Unit = "minute" | "hour" | "day";

export interface UsageRow {
	/** The start of the minute, hour or day; undefined if the rows are not by time. */
	readonly start: number | undefined;
	readonly operation: string;
	/** The id of a stored key, or the name of another; undefined without a valid key. */
	readonly key: string | undefined;
	readonly requests: number;
	readonly errors: number;
	readonly p50Ms: number | undefined;
	readonly p99Ms: number | undefined;
}

export type Usage = ReturnType<typeof createUsage>;

export function createUsage({ read }: Api) {
	async function list(
		from: number,
		by: readonly ("operation" | "key" | Unit)[],
		ending?: AbortSignal,
		to?: number,
	): Promise<readonly UsageRow[]> {
		const end = to === undefined ? "" : `&to=${toTimeText(to)}`;
		const path = `/usage?from=${toTimeText(from)}${end}&by=${by.join(",")}`;
		const { rows } = toMembers((await read(path, ending)).body);
		return toList(rows, "rows", toRow);
	}

	/** By operation, key and day, for so many days of UTC. More rows than a reply may have are asked for in two parts. */
	async function listDays(
		from: number,
		days: number,
		ending?: AbortSignal,
	): Promise<readonly UsageRow[]> {
		const to = from + days * dayMs;
		try {
			return await list(from, ["operation", "key", "day"], ending, to);
		} catch (error) {
			if (days === 1 || !hasCode(error, "invalid_parameter")) throw error;
		}
		const half = Math.floor(days / 2);
		const parts = await Promise.all([
			listDays(from, half, ending),
			listDays(from + half * dayMs, days - half, ending),
		]);
		return parts.flat();
	}

	return { list, listDays };
}

const dayMs = 86_400_000;

function toRow(value: unknown): UsageRow {
	const row = toMembers(value, "a row");
	const start = row.minute ?? row.hour ?? row.day;
	return {
		start: optional(start, "the time of a row", toTime),
		operation: optional(row.operation, "operation", toText) ?? "",
		key: row.key === undefined ? undefined : String(row.key),
		requests: toNumber(row.requests, "requests"),
		errors: toNumber(row.errors, "errors"),
		p50Ms: optional(row.p50Ms, "p50Ms", toNumber),
		p99Ms: optional(row.p99Ms, "p99Ms", toNumber),
	};
}
