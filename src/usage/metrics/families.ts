// The metrics of /metrics: their names, types and meanings.
import { durationBounds } from "../../store/usage.ts";

export interface Family {
	readonly type: "counter" | "gauge" | "histogram";
	readonly help: string;
	readonly bounds?: readonly number[];
}

/** In the order of /metrics. */
export const families = {
	http_server_request_duration_seconds: {
		type: "histogram",
		help: "Time from the arrival of a request to its reply, by route.",
		bounds: durationBounds,
	},
	petstore_adds_total: {
		type: "counter",
		help: "Animals that clients asked to add, by outcome.",
	},
	petstore_add_batch_animals: {
		type: "histogram",
		help: "Animals added in one transaction.",
		bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
	},
	petstore_store_duration_seconds: {
		type: "histogram",
		help: "Time that requests waited for the store, queues included. Reads of SQLite do not wait and are not counted.",
		bounds: durationBounds,
	},
	petstore_store_waiting_requests: {
		type: "gauge",
		help: "Requests that wait for the store now, queues included.",
	},
	petstore_page_cache_lookups_total: {
		type: "counter",
		help: "Lists, by whether their page was cached.",
	},
	petstore_last_backup_timestamp_seconds: {
		type: "gauge",
		help: "When the newest backup was begun, in seconds since 1970.",
	},
	petstore_backup_failures_total: {
		type: "counter",
		help: "Backups that failed, of all processes and machines.",
	},
	petstore_build_info: { type: "gauge", help: "Version as a label." },
	process_cpu_seconds_total: {
		type: "counter",
		help: "Processor time of this process.",
	},
	process_resident_memory_bytes: {
		type: "gauge",
		help: "Memory of this process.",
	},
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;
