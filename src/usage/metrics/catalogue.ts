// Measures what requests ask of the catalogue: how long they wait, how many wait now, what became of adds, and the batches of adds.
import type { Added } from "../../store/catalogue.ts";
import type {
	CatalogueOperation,
	OnWait,
} from "../../store/queue/pending-limit.ts";
import { families } from "./families.ts";
import { type Snapshot, withLabel } from "./snapshot.ts";

export interface CatalogueMetrics {
	readonly onWait: OnWait;
	/** Called with the number of adds in each batch. */
	readonly onAddBatch: (size: number) => void;
	readonly read: () => Snapshot;
}

export function createCatalogueMetrics(): CatalogueMetrics {
	const { bounds } = families.petstore_store_duration_seconds;
	const createWaits = () => ({
		durations: createHistogram(bounds),
		waiting: 0,
	});
	const waits: Record<CatalogueOperation, ReturnType<typeof createWaits>> = {
		listPets: createWaits(),
		getPet: createWaits(),
		addPet: createWaits(),
		changePets: createWaits(),
		countPets: createWaits(),
	};
	const adds = { added: 0, replayed: 0, mismatch: 0, failed: 0 };
	const batches = createHistogram(families.petstore_add_batch_animals.bounds);

	return {
		onWait(operation) {
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
		onAddBatch: batches.observe,
		read: () => ({
			totals: {
				...withLabel("petstore_adds_total", "outcome", adds, (count) => [
					count,
				]),
				petstore_add_batch_animals: batches.read(),
				...withLabel(
					"petstore_store_duration_seconds",
					"operation",
					waits,
					({ durations }) => durations.read(),
				),
			},
			gauges: withLabel(
				"petstore_store_waiting_requests",
				"operation",
				waits,
				({ waiting }) => waiting,
			),
		}),
	};
}

function isAdded(result: unknown): result is Added {
	return typeof result === "object" && result !== null && "outcome" in result;
}

/** How many values are up to each bound, and their sum. `read` has a number for each bound, one for the values above all of them, and the sum. */
function createHistogram(bounds: readonly number[]) {
	const numbers = new Float64Array(bounds.length + 2);
	const last = bounds.length + 1;
	return {
		observe(value: number) {
			let index = 0;
			while (value > (bounds[index] ?? Number.POSITIVE_INFINITY)) index++;
			numbers[index] = (numbers[index] ?? 0) + 1;
			numbers[last] = (numbers[last] ?? 0) + value;
		},
		read: (): readonly number[] => [...numbers],
	};
}
