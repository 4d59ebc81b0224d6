// `/metrics`, for Prometheus: its text format, version 0.0.4.
import { withHeaders } from "../../http/reply.ts";
import type { Surface } from "../../http/surface.ts";
import type { BackupState } from "../../store/archive/backups.ts";
import { type Family, families } from "../../usage/metrics/families.ts";
import {
	type Snapshot,
	splitName,
	withLabels,
} from "../../usage/metrics/snapshot.ts";
import { notStored, operatorHeaders } from "../operator/replies.ts";

export function createMetricsSurface(options: {
	authenticate: Surface["authenticate"];
	version: string;
	readBackups: () => Promise<Pick<BackupState, "newestAt" | "failures">>;
	read: () => Snapshot;
}): Surface {
	const { authenticate, version, read, readBackups } = options;
	const build = withLabels("petstore_build_info", { version });
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
					const backups = await readBackups().then(toBackupMetrics, () => ({}));
					return {
						body: toMetricsText({ ...read(), ...backups, [build]: [1] }),
						mediaType: "text/plain; version=0.0.4; charset=utf-8",
					};
				},
			},
		],
	};
}

function toBackupMetrics({
	newestAt,
	failures,
}: Pick<BackupState, "newestAt" | "failures">): Snapshot {
	return {
		petstore_backup_failures_total: [failures],
		...(newestAt !== undefined && {
			petstore_last_backup_timestamp_seconds: [newestAt / 1_000],
		}),
	};
}

/** Errors are JSON, as everywhere. No CORS headers: no page needs the metrics. */
const metricsHeaders = withHeaders(operatorHeaders, notStored);

function toMetricsText(snapshot: Snapshot): string {
	const samples = Object.entries(snapshot);
	return Object.entries<Family>(families)
		.map(([name, { type, help, bounds }]) => {
			const lines = samples
				.filter(([sample]) => splitName(sample).name === name)
				.flatMap(([sample, numbers]) =>
					bounds === undefined
						? [`${sample} ${numbers[0] ?? 0}`]
						: toHistogram(sample, bounds, numbers),
				);
			const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
			return lines.length === 0 ? "" : `${[...head, ...lines].join("\n")}\n`;
		})
		.join("");
}

/** The counts of a histogram are cumulative: each includes all below it. */
function toHistogram(
	sample: string,
	bounds: readonly number[],
	numbers: readonly number[],
): string[] {
	const { name, labels } = splitName(sample);
	const inner = labels === "" ? "" : `${labels},`;
	const outer = labels === "" ? "" : `{${labels}}`;
	let count = 0;
	const buckets = [...bounds, "+Inf"].map((bound, index) => {
		count += numbers[index] ?? 0;
		return `${name}_bucket{${inner}le="${bound}"} ${count}`;
	});
	return [
		...buckets,
		`${name}_sum${outer} ${numbers.at(-1) ?? 0}`,
		`${name}_count${outer} ${count}`,
	];
}
