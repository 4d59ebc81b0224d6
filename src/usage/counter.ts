// Counts the requests of this process by key, path, method and status. Counting allocates nothing: a map keyed by text would slow lists
// down.
import type { Exchange } from "../http/exchange.ts";
import { addNumbers } from "../store/usage/rows.ts";
import {
	durationBounds,
	durationCount,
	type UsageCount,
} from "../store/usage.ts";

export type Counter = ReturnType<typeof createCounter>;

/** The requests with one route, method and status. */
export interface RouteTotal {
	readonly route: string;
	readonly method: string;
	readonly status: number;
	/** By `durationBounds`. */
	readonly durations: readonly number[];
	readonly ms: number;
}

export function createCounter() {
	let records: CountRecord[] = [];
	let byKey: ByKey = new Map();
	/** The requests before the last `take`, without their keys, so that unused keys take no memory. */
	const taken = new Map<string, RouteTotal>();

	function find(request: CountedRequest, status: number): CountRecord {
		const { identity, match, method } = request;
		const fitting = byKey
			.getOrInsertComputed(identity?.keyId, toMap)
			.getOrInsertComputed(match.known, toList);
		// A loop over so few is faster than a map.
		for (const record of fitting)
			if (record.status === status && record.method === method) return record;
		const record = toRecord(request, status);
		fitting.push(record);
		records.push(record);
		return record;
	}

	return {
		count(request: CountedRequest, status: number, ms: number): void {
			const record = find(request, status);
			const { durations } = record;
			let index = 0;
			while (ms > (boundsMs[index] ?? Number.POSITIVE_INFINITY)) index++;
			durations[index] = (durations[index] ?? 0) + 1;
			record.ms += ms;
		},
		/** The counts of operations since the last call. */
		take(): readonly Omit<UsageCount, "at">[] {
			const all = records;
			records = [];
			byKey = new Map();
			for (const record of all) addTo(taken, record);
			return all.flatMap(toUsageCounts);
		},
		/** All requests of this process, without their keys. */
		totals(): readonly RouteTotal[] {
			const totals = new Map(taken);
			for (const record of records) addTo(totals, record);
			return [...totals.values()];
		},
	};
}

const boundsMs = Float64Array.from(durationBounds, (bound) => bound * 1000);

type CountedRequest = Pick<Exchange, "method" | "match" | "identity">;

interface CountRecord extends Omit<RouteTotal, "durations" | "ms"> {
	readonly key: string;
	/** Undefined for routes without an operation. */
	readonly operation: string | undefined;
	readonly durations: Float64Array;
	ms: number;
}

type KeyId = NonNullable<Exchange["identity"]>["keyId"];
type Path = Exchange["match"]["known"];
/** Callers cannot fill it: it has only valid keys, paths of routes, and methods that Bun knows. */
type ByKey = Map<KeyId, Map<Path, CountRecord[]>>;

/** Outside of `find`, so that counting makes no functions. */
const toMap = (): Map<Path, CountRecord[]> => new Map();
const toList = (): CountRecord[] => [];

function toRecord(
	{ match: { known }, method, identity }: CountedRequest,
	status: number,
): CountRecord {
	return {
		route: known?.pattern ?? "unmatched",
		method,
		status,
		key: String(identity?.keyId ?? ""),
		operation: known?.routes.get(method)?.operationId,
		durations: new Float64Array(durationCount),
		ms: 0,
	};
}

function addTo(totals: Map<string, RouteTotal>, record: CountRecord): void {
	const { route, method, status, durations, ms } = record;
	const name = `${method} ${route} ${status}`;
	const before = totals.get(name);
	totals.set(name, {
		route,
		method,
		status,
		durations: addNumbers([...durations], before?.durations ?? []),
		ms: ms + (before?.ms ?? 0),
	});
}

function toUsageCounts(record: CountRecord): Omit<UsageCount, "at">[] {
	const { key, operation, status } = record;
	if (operation === undefined) return [];
	const durations = [...record.durations];
	const requests = durations.reduce((sum, count) => sum + count, 0);
	return [{ key, operation, status, requests, durations }];
}
