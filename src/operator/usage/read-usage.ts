// readUsage: how often each operation was called, by whom, with which status and how fast.

import { httpStatus } from "../../contract/operation.ts";
import {
	maxUsageRows,
	usageBy,
	usageFrom,
	usageTo,
} from "../../contract/operator/usage.ts";
import { readParameter } from "../../contract/parameter.ts";
import type { Route } from "../../http/surface.ts";
import type { Usage } from "../../store/usage.ts";
import { toRange } from "./range.ts";
import { compareSums, toRow } from "./row.ts";

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
