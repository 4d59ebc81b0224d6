// The usage in the operator interface: who calls what, how often and how fast.
import type { Failure } from "../../domain/errors.ts";
import { toCountText } from "../../domain/quantity.ts";
import { type Part, toOperation } from "../operation.ts";
import { instant, invalid, type Parameter } from "../parameter.ts";
import {
	decimal,
	int64,
	list,
	object,
	text,
	time,
	whole32,
	whole64,
} from "../schemas.ts";

export const dimensions = ["operation", "key", "status"] as const;
export type Dimension = (typeof dimensions)[number];

export const timeUnits = ["minute", "hour", "day"] as const;
export type TimeUnit = (typeof timeUnits)[number];

export const unitMs: Readonly<Record<TimeUnit, number>> = {
	minute: 60_000,
	hour: 3_600_000,
	day: 86_400_000,
};

export interface UsageGroups {
	readonly by: readonly Dimension[];
	/** The time that a row covers; the whole range if undefined. */
	readonly unit: TimeUnit | undefined;
}

const { hour: hourMs, day: dayMs } = unitMs;

/** How long usage is kept by the minute, by the hour and by the day. */
export const usageKeptMs: Readonly<Record<TimeUnit, number>> = {
	minute: 48 * hourMs,
	hour: 31 * dayMs,
	day: 400 * dayMs,
};
/** The longest range of minutes, and of hours. Longer ones use hours, then days. */
export const usageRangeMs = { minute: 6 * hourMs, hour: 48 * hourMs };
/** Rows of a reply: four operations by hour for three months. */
export const maxUsageRows = 10_000;

export function tooManyRows(max: number): Failure {
	return invalid(
		"by",
		`must give at most ${toCountText(max)} rows in this range; name fewer groups, or shorten the range`,
	);
}

export function tooManyCounts(): Failure {
	return invalid(
		"from",
		"must be later, or by must name fewer groups: this range has too many counts",
	);
}

export const usageFrom = instant({
	name: "from",
	description: `The start of the range; a day before \`to\` if omitted. It is rounded down: to the minute in ranges of up to ${usageRangeMs.minute / hourMs} hours, to the hour up to ${usageRangeMs.hour / hourMs} hours, to the day (UTC) beyond. Where minutes are no longer kept, it is rounded to the hour; where hours are not, to the day. By minute or hour, it is never rounded further than that; by key together with status, never further than the hour.`,
});

export const usageTo = instant({
	name: "to",
	description:
		"The end of the range; now if omitted. A minute, hour or day that begins before it counts as a whole.",
});

const groups = [...dimensions, ...timeUnits];

export const usageBy: Parameter<UsageGroups> = {
	name: "by",
	description: `What each row is about: ${groups.join(", ")}, or several of them with commas between them, at most one of minute, hour and day. One row for all requests if omitted. Minutes are kept for ${usageKeptMs.minute / hourMs} hours; hours, and key together with status, for ${usageKeptMs.hour / dayMs} days; days for ${usageKeptMs.day / dayMs} days.`,
	schema: {
		type: "array",
		minItems: 1,
		uniqueItems: true,
		items: { type: "string", enum: groups },
	},
	example: ["operation", "status"],
	read(text) {
		const names = text === undefined ? [] : text.split(",");
		const by = dimensions.filter((name) => names.includes(name));
		const units = timeUnits.filter((name) => names.includes(name));
		// The lists lack unknown and repeated names.
		if (by.length + units.length !== names.length)
			throw invalid(
				"by",
				`must be one or more of ${groups.join(", ")}, each at most once, with commas between them`,
			);
		if (units.length > 1)
			throw invalid("by", "must have at most one of minute, hour and day");
		return { by, unit: units[0] };
	},
};

export const usage = {
	tags: { usage: "Who calls what, how often and how fast." },
	operations: {
		readUsage: toOperation({
			scope: "operator",
			path: "/usage",
			tag: "usage",
			summary: "Read the usage",
			description:
				"Counts requests to the operations of the interfaces. Counts of other processes appear within 10 seconds, those of the answering process at once.",
			query: [usageFrom, usageTo, usageBy],
			success: {
				description: "The usage.",
				body: "UsageReport",
				example: {
					rows: [
						{
							operation: "listPets",
							requests: 1204,
							errors: 3,
							p50Ms: 0.25,
							p99Ms: 2.1,
						},
					],
				},
			},
			errors: ["invalid_parameter"],
		}),
	},
	schemas: {
		UsageRow: object(
			"The requests with the same values of what `by` names.",
			{
				requests: whole64("Number of requests."),
				errors: whole64("Number of requests with a status of 400 or above."),
			},
			{
				minute: time("The start of the minute."),
				hour: time("The start of the hour."),
				day: time("The start of the day, in UTC."),
				operation: text("The operationId, as the OpenAPI documents have it."),
				key: {
					oneOf: [int64, { type: "string" }],
					description:
						"The id of a stored key; or the name of another: `PETSTORE_API_KEY`, `sandbox`. Absent for callers without a valid key.",
				},
				status: whole32("The HTTP status of the replies."),
				p50Ms: decimal(
					"Half of the requests took at most this many milliseconds, estimated from counts by duration.",
				),
				p99Ms: decimal("The same for 99 of 100."),
			},
		),
		UsageReport: object(
			"Counted requests, in the order of time, operation, key, status.",
			{ rows: list("UsageRow", maxUsageRows) },
		),
	},
} satisfies Part;
