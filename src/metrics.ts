// `/metrics`, for Prometheus: what this process has counted, in the text format, version 0.0.4.
import manifest from "../package.json" with { type: "json" };
import { notStored, operatorHeaders, withHeaders } from "./http/reply.ts";
import {
	createRequestCounts,
	durationBounds,
	type Histogram,
} from "./http/request-counts.ts";
import type { Surface } from "./http/surface.ts";
import type { BackupState } from "./store/backups.ts";
import type { Catalogue } from "./store/catalogue.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** What the parts of the service count. */
export function createMetrics(adds: Catalogue["adds"]) {
	return {
		requests: createRequestCounts(),
		adds,
		/** Lists, by whether their page was cached. */
		pages: { hit: 0, miss: 0 },
	};
}

type Backups = Pick<BackupState, "newestAt" | "failures">;

export function createMetricsSurface(options: {
	authenticate: Surface["authenticate"];
	readBackups: () => Promise<Backups>;
	metrics: Metrics;
}): Surface {
	const { authenticate, readBackups, metrics } = options;
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
					const backups = await readBackups().catch(() => ({}));
					return {
						body: toText(metrics, backups),
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
	{ requests, adds, pages }: Metrics,
	{ newestAt, failures }: Partial<Backups>,
): string {
	const durations = requests.histograms().map(toHistogram);
	const { user, system } = process.cpuUsage();
	const families: readonly [name: string, samples: Samples, help: string][] = [
		[
			"petstore_request_duration_seconds",
			Object.assign({}, ...durations),
			"Time to the reply of a request.",
		],
		["petstore_adds_total", toSamples("outcome", adds.outcomes), "Adds."],
		[
			"petstore_waiting_adds",
			{ "": adds.waiting },
			"Adds that wait for the database.",
		],
		["petstore_page_cache_lookups_total", toSamples("result", pages), "Lists."],
		[
			"petstore_last_backup_timestamp_seconds",
			{ "": newestAt && newestAt / 1_000 },
			"When the newest backup began.",
		],
		["petstore_backup_failures_total", { "": failures }, "Failed backups."],
		[
			"petstore_build_info",
			toSamples("version", { [manifest.version]: 1 }),
			"Version.",
		],
		[
			"process_cpu_seconds_total",
			{ "": (user + system) / 1e6 },
			"Processor time.",
		],
		[
			"process_resident_memory_bytes",
			{ "": process.memoryUsage.rss() },
			"Memory.",
		],
	];
	return families.map((family) => toFamily(...family)).join("");
}

/** By what follows the name of the metric: its labels, for example. */
type Samples = Readonly<Record<string, number | undefined>>;

/** Nothing without a value. */
function toFamily(name: string, samples: Samples, help: string): string {
	const lines = Object.entries(samples)
		.filter(([, value]) => value !== undefined)
		.map(([rest, value]) => `${name}${rest} ${value}\n`);
	if (lines.length === 0) return "";
	const other = name.endsWith("_total") ? "counter" : "gauge";
	const type = name.includes("_duration_") ? "histogram" : other;
	return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function toSamples(label: string, counts: Samples): Samples {
	const entries = Object.entries(counts);
	return Object.fromEntries(
		entries.map(([value, count]) => [`{${label}="${value}"}`, count]),
	);
}

/** The buckets are cumulative: each includes all below it. */
function toHistogram({ operation, status, buckets, ms }: Histogram): Samples {
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
