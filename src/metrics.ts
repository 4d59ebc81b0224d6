// `/metrics`, for Prometheus: what this process has counted, in the text format, version 0.0.4.
import manifest from "../package.json" with { type: "json" };
import type { Authentication } from "./auth/sessions.ts";
import { unstoredHeaders } from "./http/reply.ts";
import {
	durationBounds,
	type Histogram,
	type RequestCounts,
} from "./http/request-counts.ts";
import type { Surface } from "./http/surface.ts";
import { readMemory } from "./program.ts";
import type { Catalogue } from "./store/animals/catalogue.ts";
import type { BackupState } from "./store/files/backups.ts";

type Backups = Pick<BackupState, "newestAt" | "failures">;

export function createMetrics(
	{ bySession }: Authentication,
	readBackups: () => Promise<Backups>,
	requests: RequestCounts,
	adds: Catalogue["adds"],
): Surface {
	return {
		prefix: "/metrics",
		authenticate: bySession.authenticate,
		headers: unstoredHeaders,
		// Monitoring must work even if the rate limit is used up.
		isUnlimited: true,
		routes: [
			{
				method: "GET",
				path: "",
				scope: "metrics",
				headers: unstoredHeaders,
				handle: async () => ({
					// Without those of backups if the database does not answer.
					body: toText(requests, adds, await readBackups().catch(() => ({}))),
					mediaType: "text/plain; version=0.0.4; charset=utf-8",
				}),
			},
		],
	};
}

function toText(
	requests: RequestCounts,
	adds: Catalogue["adds"],
	{ newestAt, failures }: Partial<Backups>,
): string {
	const { user, system } = process.cpuUsage();
	const families: Readonly<Record<string, Family>> = {
		petstore_request_duration_seconds: [
			"Time to the reply of a request.",
			Object.assign({}, ...requests.histograms().map(toHistogram)),
		],
		petstore_adds_total: ["Adds.", adds.outcomes, "outcome"],
		petstore_waiting_adds: ["Adds that wait for the database.", adds.waiting],
		petstore_last_backup_timestamp_seconds: [
			"When the newest backup began.",
			newestAt && newestAt / 1_000,
		],
		petstore_backup_failures_total: ["Failed backups.", failures],
		petstore_build_info: ["Version.", { [manifest.version]: 1 }, "version"],
		process_cpu_seconds_total: ["Processor time.", (user + system) / 1e6],
		process_resident_memory_bytes: ["Memory.", readMemory()],
	};
	return Object.entries(families).map(toLines).join("");
}

/** What it counts, and its only value, or its values by those of a label, or by what follows the name of the metric. */
type Family = readonly [
	help: string,
	values: Samples | number | undefined,
	label?: string,
];

type Samples = Readonly<Record<string, number>>;

/** Nothing without a value. */
function toLines([name, [help, values = {}, label]]: [string, Family]): string {
	const samples = typeof values === "number" ? { "": values } : values;
	const lines = Object.entries(samples).map(([key, value]) => {
		const rest = label === undefined ? key : `{${label}="${key}"}`;
		return `${name}${rest} ${value}\n`;
	});
	if (lines.length === 0) return "";
	const other = name.endsWith("_total") ? "counter" : "gauge";
	const type = name.includes("_duration_") ? "histogram" : other;
	return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
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
