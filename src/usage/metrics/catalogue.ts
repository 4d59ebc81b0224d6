// Measures what requests ask of the catalogue: how long they wait, how many wait now, what became of adds, and the batches of adds.
import { type Awaitable, isPending } from "../../async/awaitable.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import { families } from "./families.ts";
import { type Snapshot, withLabel } from "./snapshot.ts";

export interface CatalogueMetrics {
	readonly measure: (catalogue: Catalogue) => Catalogue;
	/** Called with the number of adds in each batch. */
	readonly onAddBatch: (size: number) => void;
	readonly read: () => Snapshot;
}

export function createCatalogueMetrics(): CatalogueMetrics {
	const waits = {
		listPets: createWaits(),
		getPet: createWaits(),
		addPet: createWaits(),
		changePets: createWaits(),
		countPets: createWaits(),
	};
	const adds = { added: 0, replayed: 0, mismatch: 0, failed: 0 };
	const batches = createHistogram(families.petstore_add_batch_animals.bounds);

	return {
		measure: (catalogue) => ({
			...catalogue,
			listPets: (page) => waits.listPets.measure(catalogue.listPets(page)),
			getPet: (id) => waits.getPet.measure(catalogue.getPet(id)),
			addPet(...addition) {
				const adding = catalogue.addPet(...addition);
				const end = waits.addPet.begin();
				adding.then(
					({ outcome }) => {
						adds[outcome]++;
						end();
					},
					() => {
						adds.failed++;
						end();
					},
				);
				return adding;
			},
			changePets: (changes) =>
				waits.changePets.measure(catalogue.changePets(changes)),
			countPets: (range) => waits.countPets.measure(catalogue.countPets(range)),
		}),
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
					(one) => one.read(),
				),
			},
			gauges: withLabel(
				"petstore_store_waiting_requests",
				"operation",
				waits,
				({ waiting }) => waiting(),
			),
		}),
	};
}

/** A result that is there already has not waited, and is not measured. */
function createWaits() {
	const durations = createHistogram(
		families.petstore_store_duration_seconds.bounds,
	);
	let waiting = 0;

	function begin(): () => void {
		const startedAt = performance.now();
		waiting++;
		return () => {
			waiting--;
			durations.observe((performance.now() - startedAt) / 1000);
		};
	}

	return {
		waiting: () => waiting,
		read: durations.read,
		begin,
		measure<Result extends Awaitable<unknown>>(result: Result): Result {
			if (isPending(result)) {
				const end = begin();
				result.then(end, end);
			}
			return result;
		},
	};
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
