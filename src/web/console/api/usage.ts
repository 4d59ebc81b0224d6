// How often each operation was called, as the operator interface counts it.
import { toTimeText } from "../../../domain/time.ts";
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import { list, number, object, optional, text, time } from "./values.ts";

const toRow = object({
	minute: optional(time),
	hour: optional(time),
	day: optional(time),
	operation: optional(text),
	/** The id of a stored key, or the name of another key; undefined without a valid key. */
	key: optional(String),
	status: optional(number),
	requests: number,
	errors: number,
	p50Ms: optional(number),
	p99Ms: optional(number),
});
const toReport = object({ rows: list(toRow) });

export type Unit = "minute" | "hour" | "day";
type Dimension = "operation" | "key" | "status";

export interface UsageRow extends Omit<ReturnType<typeof toRow>, Unit> {
	readonly operation: string;
	/** The start of the minute, hour or day; undefined if the rows are not by time. */
	readonly start: number | undefined;
}

export type Usage = ReturnType<typeof createUsage>;

export function createUsage({ read }: Pick<Api, "read">) {
	async function list(
		from: number,
		by: readonly (Dimension | Unit)[],
		ending?: AbortSignal,
		to?: number,
	): Promise<readonly UsageRow[]> {
		const end = to === undefined ? "" : `&to=${toTimeText(to)}`;
		const path = `/usage?from=${toTimeText(from)}${end}&by=${by.join(",")}`;
		const { rows } = toReport(await read(path, ending));
		return rows.map(({ minute, hour, day, operation = "", ...row }) => ({
			...row,
			operation,
			start: minute ?? hour ?? day,
		}));
	}

	/** By day in UTC too. It halves the time range if a reply would have too many rows. */
	async function listDays(
		from: number,
		days: number,
		by: readonly Dimension[],
		ending?: AbortSignal,
	): Promise<readonly UsageRow[]> {
		const to = from + days * dayMs;
		try {
			return await list(from, [...by, "day"], ending, to);
		} catch (error) {
			if (days === 1 || !hasCode(error, "invalid_parameter")) throw error;
		}
		const half = Math.floor(days / 2);
		const parts = await Promise.all([
			listDays(from, half, by, ending),
			listDays(from + half * dayMs, days - half, by, ending),
		]);
		return parts.flat();
	}

	return { list, listDays };
}

const dayMs = 86_400_000;
