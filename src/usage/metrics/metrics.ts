// The metrics of this process: requests, waits for the catalogue, adds, pages, memory and processor time.
import type { Added } from "../../store/catalogue.ts";
import type { CatalogueOperation } from "../../store/queue/pending-limit.ts";
import type { Counter, RouteTotal } from "../counter.ts";
import { families } from "./families.ts";
import { type Snapshot, withLabel, withLabels } from "./snapshot.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics({ totals }: Pick<Counter, "totals">) {
	const waits: Record<CatalogueOperation, ReturnType<typeof createWaits>> = {
		listPets: createWaits(),
		getPet: createWaits(),
		addPet: createWaits(),
		changePets: createWaits(),
		countPets: createWaits(),
		countCategories: createWaits(),
	};
	const adds = { added: 0, replayed: 0, mismatch: 0, failed: 0 };
	const batches = createHistogram(families.petstore_add_batch_animals.bounds);
	const pages = { hit: 0, miss: 0 };

	return {
		onWait(operation: CatalogueOperation): (result: unknown) => void {
			const startedAt = performance.now();
			const own = waits[operation];
			own.waiting++;
			return (result) => {
				own.waiting--;
				own.durations.observe((performance.now() - startedAt) / 1000);
				if (operation !== "addPet") return;
				adds[isAdded(result) ? result.outcome : "failed"]++;
			};
		},
		/** Called with the number of adds in each batch. */
		onAddBatch: batches.observe,
		/** Called for each list. */
		onPage(isCached: boolean): void {
			pages[isCached ? "hit" : "miss"]++;
		},
		read(): Snapshot {
			const { user, system } = process.cpuUsage();
			return {
				...readRequests(totals()),
				...withLabel("petstore_adds_total", "outcome", adds, toCounter),
				petstore_add_batch_animals: batches.read(),
				...withLabel(
					"petstore_store_duration_seconds",
					"operation",
					waits,
					({ durations }) => durations.read(),
				),
				...withLabel(
					"petstore_store_waiting_requests",
					"operation",
					waits,
					({ waiting }) => [waiting],
				),
				...withLabel(
					"petstore_page_cache_lookups_total",
					"result",
					pages,
					toCounter,
				),
				process_cpu_seconds_total: [(user + system) / 1e6],
				process_resident_memory_bytes: [process.memoryUsage.rss()],
			};
		},
	};
}

function createWaits() {
	const { bounds } = families.petstore_store_duration_seconds;
	return { durations: createHistogram(bounds), waiting: 0 };
}

function isAdded(result: unknown): result is Added {
	return typeof result === "object" && result !== null && "outcome" in result;
}

/** Counts values by bucket. `read` returns a count for each bound, one for values above all bounds, and the sum of the values. */
function createHistogram(bounds: readonly number[]) {
	const numbers = new Float64Array(bounds.length + 2);
	const last = bounds.length + 1;
	return {
		observe(value: number): void {
			let index = 0;
			while (value > (bounds[index] ?? Number.POSITIVE_INFINITY)) index++;
			numbers[index] = (numbers[index] ?? 0) + 1;
			numbers[last] = (numbers[last] ?? 0) + value;
		},
		read: (): readonly number[] => [...numbers],
	};
}

function toCounter(count: number): readonly number[] {
	return [count];
}

function readRequests(routes: readonly RouteTotal[]): Snapshot {
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
