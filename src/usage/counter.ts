// Counts the requests of this process. Every request pays for it, so it makes no object for one: there is one record for each
// combination of key, path, method and status that occurs, and a request adds to its numbers.
import type { AnsweredRequest } from "../http/exchange.ts";
import type { Match } from "../http/router.ts";
import type { Identity } from "../http/surface.ts";
import {
	durationBounds,
	durationCount,
	type UsageCount,
} from "../store/usage.ts";

export interface Counter {
	readonly count: (
		request: AnsweredRequest,
		status: number,
		ms: number,
	) => void;
	/** The counts of operations since the last call. */
	readonly take: () => readonly Omit<UsageCount, "at">[];
	/** All requests of this process, without their keys. */
	readonly totals: () => readonly RouteTotal[];
}

/** The requests with one route, method and status. */
export interface RouteTotal {
	readonly route: string;
	readonly method: string;
	readonly status: number;
	/** By `durationBounds`. */
	readonly durations: readonly number[];
	readonly ms: number;
}

export function createCounter(): Counter {
	let records = createRecords();
	/** The requests before the last `take`. Without their keys, so that a key that calls no more takes no memory. */
	const taken = new Map<string, RouteTotal>();

	return {
		count(request, status, ms) {
			const record = records.find(request, status);
			const { durations } = record;
			let index = 0;
			while (ms > (boundsMs[index] ?? Number.POSITIVE_INFINITY)) index++;
			durations[index] = (durations[index] ?? 0) + 1;
			record.ms += ms;
		},
		take() {
			const { all } = records;
			records = createRecords();
			for (const record of all) addTo(taken, record);
			return all.flatMap(toUsageCounts);
		},
		totals() {
			const totals = new Map(taken);
			for (const record of records.all) addTo(totals, record);
			return [...totals.values()];
		},
	};
}

const boundsMs = Float64Array.from(durationBounds, (bound) => bound * 1000);

/** Of requests to a path that no surface has. */
const unmatched = "unmatched";

interface CountRecord {
	readonly route: string;
	readonly method: string;
	readonly status: number;
	readonly key: string;
	/** Undefined for what is no operation of an interface. */
	readonly operation: string | undefined;
	readonly durations: Float64Array;
	ms: number;
}

function createRecords() {
	const all: CountRecord[] = [];
	const byKey: ByKey = new Map();
	return {
		all,
		find(request: AnsweredRequest, status: number): CountRecord {
			const { identity, match, method } = request;
			const records = findRecords(byKey, identity?.keyId, match.known);
			// There are few, and a loop over them is faster than a map.
			for (const record of records)
				if (record.status === status && record.method === method) return record;
			const record = toRecord(request, status);
			records.push(record);
			all.push(record);
			return record;
		},
	};
}

/** Only valid keys, the paths of routes, and the methods that Bun knows, so callers cannot fill it. */
type ByKey = Map<Identity["keyId"], ByPath>;
type ByPath = Map<Match["known"], CountRecord[]>;

function findRecords(
	byKey: ByKey,
	keyId: Identity["keyId"],
	path: Match["known"],
): CountRecord[] {
	let byPath = byKey.get(keyId);
	if (byPath === undefined) {
		byPath = new Map();
		byKey.set(keyId, byPath);
	}
	let records = byPath.get(path);
	if (records === undefined) {
		records = [];
		byPath.set(path, records);
	}
	return records;
}

function toRecord(
	{ match: { known }, method, identity }: AnsweredRequest,
	status: number,
): CountRecord {
	return {
		route: known?.pattern ?? unmatched,
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
		...{ route, method, status },
		durations: Array.from(
			durations,
			(count, index) => count + (before?.durations[index] ?? 0),
		),
		ms: ms + (before?.ms ?? 0),
	});
}

function toUsageCounts({
	key,
	operation,
	status,
	durations,
}: CountRecord): Omit<UsageCount, "at">[] {
	if (operation === undefined) return [];
	const requests = durations.reduce((sum, count) => sum + count, 0);
	return [{ key, operation, status, requests, durations: [...durations] }];
}
