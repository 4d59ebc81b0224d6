// `/metrics`, for Prometheus: what this process has counted, in the text format, version 0.0.4.
import { notStored, operatorHeaders, withHeaders } from "./http/reply.ts";
import {
	createRequestCounts,
	durationBounds,
	type Histogram,
} from "./http/request-counts.ts";
import type { Surface } from "./http/surface.ts";
import type { BackupState } from "./store/backups.ts";
import { createStoreCounts } from "./store/pending-limit.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** What the parts of the service count. */
export function createMetrics() {
	return {
		requests: createRequestCounts(),
		store: createStoreCounts(),
		/** Lists, by whether their page was cached. */
		pages: { hit: 0, miss: 0 },
	};
}

type Backups = Pick<BackupState, "newestAt" | "failures">;

export function createMetricsSurface(options: {
	authenticate: Surface["authenticate"];
	version: string;
	readBackups: () => Promise<Backups>;
	metrics: Metrics;
}): Surface {
	const { authenticate, version, readBackups, metrics } = options;
	return {
		prefix: "/metrics",
		authenticate,
		headers: metricsHeaders,
		isSameOriginOnly: true,
		// Monitoring must work even if the rate limit is used up.
		isUnlimited: true,
		routes: [
			{
				method: "GET",
				path: "",
				scope: "metrics",
				headers: metricsHeaders,
				async handle() {
					const backups = await readBackups().catch(() => undefined);
					return {
						body: toText(metrics, backups, version),
						mediaType: "text/plain; version=0.0.4; charset=utf-8",
					};
				},
			},
		],
	};
}

/** Errors are JSON, as everywhere. No CORS headers: no page needs the metrics. */
const metricsHeaders = withHeaders(operatorHeaders, notStored);

/** Without the metrics of backups if the database does not answer. */
function toText(
	{ requests, store, pages }: Metrics,
	backups: Backups | undefined,
	version: string,
): string {
	const { newestAt, failures } = backups ?? {};
	const { user, system } = process.cpuUsage();
	return [
		toFamily(
			"petstore_request_duration_seconds",
			"histogram",
			"Time from the arrival of a request to its reply, by operation and status.",
			Object.assign({}, ...requests.histograms().map(toHistogramSamples)),
		),
		toFamily(
			"petstore_adds_total",
			"counter",
			"Animals that clients asked to add, by outcome.",
			toSamples("outcome", store.adds),
		),
		toFamily(
			"petstore_store_waiting_requests",
			"gauge",
			"Requests that wait for the store now, queues included.",
			{ "": store.waiting },
		),
		toFamily(
			"petstore_page_cache_lookups_total",
			"counter",
			"Lists, by whether their page was cached.",
			toSamples("result", pages),
		),
		toFamily(
			"petstore_last_backup_timestamp_seconds",
			"gauge",
			"When the newest backup was begun, in seconds since 1970.",
			newestAt === undefined ? {} : { "": newestAt / 1_000 },
		),
		toFamily(
			"petstore_backup_failures_total",
			"counter",
			"Backups that failed, of all processes and machines.",
			failures === undefined ? {} : { "": failures },
		),
		toFamily("petstore_build_info", "gauge", "Version as a label.", {
			[`{version="${version}"}`]: 1,
		}),
		toFamily(
			"process_cpu_seconds_total",
			"counter",
			"Processor time of this process.",
			{ "": (user + system) / 1e6 },
		),
		toFamily(
			"process_resident_memory_bytes",
			"gauge",
			"Memory of this process.",
			{ "": process.memoryUsage.rss() },
		),
	].join("");
}

/** By what follows the name of the metric: its labels, for example. */
type Samples = Readonly<Record<string, number>>;

function toFamily(
	name: string,
	type: "counter" | "gauge" | "histogram",
	help: string,
	samples: Samples,
): string {
	const lines = Object.entries(samples).map(
		([rest, value]) => `${name}${rest} ${value}\n`,
	);
	if (lines.length === 0) return "";
	return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function toSamples(label: string, counts: Samples): Samples {
	return Object.fromEntries(
		Object.entries(counts).map(([value, count]) => [
			`{${label}="${value}"}`,
			count,
		]),
	);
}

/** The buckets are cumulative: each includes all below it. */
function toHistogramSamples(histogram: Histogram): Samples {
	const { operation, status, buckets, ms } = histogram;
	const labels = `operation="${operation}",status="${status}"`;
	const samples: Record<string, number> = {};
	let count = 0;
	for (const [index, bound] of [...durationBounds, "+Inf"].entries()) {
		count += buckets[index] ?? 0;
		samples[`_bucket{${labels},le="${bound}"}`] = count;
	}
	samples[`_sum{${labels}}`] = ms / 1000;
	samples[`_count{${labels}}`] = count;
	return samples;
}
