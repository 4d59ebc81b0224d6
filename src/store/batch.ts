// Many callers, one trip to the engine: whoever arrives while a trip is under way rides the next one.

/** `trip` gets the items of all its riders and returns one result for each, in the same order. */
export function createBatch<Item, Result>(
	trip: (items: readonly Item[]) => Promise<readonly Result[]>,
	maxRiders: number,
): (item: Item) => Promise<Result> {
	const waiting: Rider<Item, Result>[] = [];
	let underWay = false;

	async function depart(): Promise<void> {
		const riders = waiting.splice(0, maxRiders);
		try {
			const results = await trip(riders.map(({ item }) => item));
			for (const [seat, result] of results.entries())
				riders[seat]?.resolve(result);
		} catch (error) {
			for (const { reject } of riders) reject(error);
		}
		underWay = waiting.length > 0;
		if (underWay) setImmediate(depart);
	}

	return (item) =>
		new Promise((resolve, reject) => {
			waiting.push({ item, resolve, reject });
			if (underWay) return;
			underWay = true;
			// Not at once: requests that arrived in the same turn of the event loop ride together.
			setImmediate(depart);
		});
}

interface Rider<Item, Result> {
	readonly item: Item;
	readonly resolve: (result: Result) => void;
	readonly reject: (error: unknown) => void;
}
