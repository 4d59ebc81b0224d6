// Counts the requests of this process: by operation and status since its start, and all together by minute and by hour.
import type { Call } from "./surface.ts";

/** In seconds. A request falls into the bucket of the first bound that it does not exceed; the last bucket has no bound. */
export const durationBounds = [
	0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
	10,
] as const;

export interface Histogram {
	readonly operation: string;
	readonly status: number;
	/** The requests in each bucket. */
	readonly buckets: Float64Array;
	/** The sum of all durations. */
	ms: number;
}

/** The requests of one minute or hour. */
export interface RequestCount {
	/** Its start. */
	readonly at: number;
	readonly total: number;
	/** With a status of 500 or above. */
	readonly failed: number;
	/** Undefined without a request. */
	readonly p99Ms: number | undefined;
}

export type RequestCounts = ReturnType<typeof createRequestCounts>;

export function createRequestCounts() {
	const histograms = new Map<string, Histogram[]>();
	const minutes = createSlots(60, 60_000);
	const hours = createSlots(24, 60 * 60_000);

	function find(operation: string, status: number): Histogram {
		const ofOperation = histograms.getOrInsertComputed(operation, toList);
		// A loop over so few is faster than a map.
		for (const one of ofOperation) if (one.status === status) return one;
		const buckets = toBuckets();
		const histogram = { operation, status, buckets, ms: 0 };
		ofOperation.push(histogram);
		return histogram;
	}

	return {
		count({ route }: Pick<Call, "route">, status: number, ms: number) {
			const operation = route?.operationId;
			let bucket = 0;
			while (ms > (boundsMs[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
			const histogram = find(operation ?? "other", status);
			increase(histogram.buckets, bucket);
			histogram.ms += ms;
			// Pages, health checks and metrics are no operations.
			if (operation === undefined) return;
			const now = Date.now();
			const isFailed = status >= 500;
			minutes.add(now, bucket, isFailed);
			hours.add(now, bucket, isFailed);
		},
		/** Since the start of the process. */
		histograms: (): readonly Histogram[] => [...histograms.values()].flat(),
		/** Oldest first. The last minute and the last hour are not over yet. */
		recent(now = Date.now()) {
			return { lastHour: minutes.read(now), lastDay: hours.read(now) };
		},
	};
}

const boundsMs = Float64Array.from(durationBounds, (bound) => bound * 1000);
const toBuckets = () => new Float64Array(durationBounds.length + 1);
const toList = (): Histogram[] => [];

function increase(buckets: Float64Array, bucket: number): void {
	buckets[bucket] = (buckets[bucket] ?? 0) + 1;
}

/** The last `length` minutes or hours. */
function createSlots(length: number, slotMs: number) {
	let current = toSlot(0);
	let slots = [current];
	return {
		add(now: number, bucket: number, isFailed: boolean): void {
			// The clock may be set back.
			if (now >= current.at + slotMs || now < current.at) {
				current = toSlot(now - (now % slotMs));
				slots = [...slots.slice(1 - length), current];
			}
			increase(current.buckets, bucket);
			if (isFailed) current.failed++;
		},
		read(now: number): readonly RequestCount[] {
			const byStart = new Map(slots.map((slot) => [slot.at, slot]));
			const last = now - (now % slotMs);
			return Array.from({ length }, (_, index) => {
				const at = last - (length - 1 - index) * slotMs;
				return toRequestCount(byStart.get(at) ?? toSlot(at));
			});
		},
	};
}

function toSlot(at: number) {
	return { at, failed: 0, buckets: toBuckets() };
}

function toRequestCount(slot: ReturnType<typeof toSlot>): RequestCount {
	const { at, failed, buckets } = slot;
	const total = buckets.reduce((sum, count) => sum + count, 0);
	return { at, total, failed, p99Ms: toQuantileMs(buckets, 0.99 * total) };
}

/** The bound of the bucket with this rank; at most the last bound. */
function toQuantileMs(buckets: Float64Array, rank: number): number | undefined {
	if (rank === 0) return undefined;
	let count = 0;
	const index = buckets.findIndex((one) => {
		count += one;
		return count >= rank;
	});
	return boundsMs.at(index) ?? boundsMs.at(-1);
}
