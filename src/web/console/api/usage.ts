// How often each operation was called, as the operator interface counts it.
import { toTimeText } from "../../../domain/time.ts";
import { type Period, toStarts } from "../charts/periods.ts";
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

type Unit = Period["unit"];

export interface UsageRow extends Omit<ReturnType<typeof toRow>, Unit> {
	readonly operation: string;
	/** The start of the minute, hour or day; undefined if the rows are not by time. */
	readonly start: number | undefined;
}

/** Reads the usage of the period that ends now. */
export type ReadUsage = ReturnType<typeof createUsage>;

export function createUsage({ read }: Pick<Api, "read">) {
	return (
		period: Period,
		by: readonly ("operation" | "key" | "status" | Unit)[],
		ending?: AbortSignal,
	) => {
		/** Halves the range if a reply would have too many rows. Only rows by time can be split. */
		async function readParts(
			starts: readonly number[],
		): Promise<readonly UsageRow[]> {
			const [from = 0] = starts;
			const to = from + starts.length * period.partMs;
			const range = `from=${toTimeText(from)}&to=${toTimeText(to)}`;
			const path = `/usage?${range}&by=${by.join(",")}`;
			try {
				return toReport(await read(path, ending)).rows.map(toUsageRow);
			} catch (error) {
				const isDivisible = starts.length > 1 && by.includes(period.unit);
				if (!isDivisible || !hasCode(error, "invalid_parameter")) throw error;
			}
			const half = Math.floor(starts.length / 2);
			const halves = [starts.slice(0, half), starts.slice(half)];
			return (await Promise.all(halves.map(readParts))).flat();
		}

		return readParts(toStarts(period, Date.now()));
	};
}

function toUsageRow(row: ReturnType<typeof toRow>): UsageRow {
	const { minute, hour, day, operation = "", ...rest } = row;
	return { ...rest, operation, start: minute ?? hour ?? day };
}
