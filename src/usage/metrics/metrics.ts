// The metrics of this process: its requests, its catalogue, its memory and processor time.
import type { Counter, RouteTotal } from "../counter.ts";
import { type CatalogueMetrics, createCatalogueMetrics } from "./catalogue.ts";
import {
	addSnapshots,
	type Snapshot,
	withLabel,
	withLabels,
} from "./snapshot.ts";

export interface Metrics extends CatalogueMetrics {
	/** Called for each list with whether its page was in memory. */
	readonly onPage: (isCached: boolean) => void;
}

export function createMetrics({ totals }: Pick<Counter, "totals">): Metrics {
	const catalogue = createCatalogueMetrics();
	const pages = { hit: 0, miss: 0 };

	function readPages(): Snapshot["totals"] {
		const family = "petstore_page_cache_lookups_total";
		return withLabel(family, "result", pages, (count) => [count]);
	}

	return {
		...catalogue,
		onPage(isCached) {
			if (isCached) pages.hit++;
			else pages.miss++;
		},
		read: () =>
			addSnapshots([
				{ totals: readRequests(totals()), gauges: {} },
				catalogue.read(),
				{ totals: readPages(), gauges: {} },
				readProcess(),
			]),
	};
}

function readRequests(routes: readonly RouteTotal[]): Snapshot["totals"] {
	return Object.fromEntries(
		routes.map(({ route, method, status, durations, ms }) => [
			withLabels("http_server_request_duration_seconds", {
				http_request_method: method,
				http_route: route,
				http_response_status_code: status,
			}),
			[...durations, ms / 1000],
		]),
	);
}

function readProcess(): Snapshot {
	const { user, system } = process.cpuUsage();
	return {
		totals: { process_cpu_seconds_total: [(user + system) / 1e6] },
		gauges: {
			petstore_processes: 1,
			process_resident_memory_bytes: process.memoryUsage.rss(),
		},
	};
}
