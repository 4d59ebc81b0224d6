// Collects the readings of all rounds, and prints each as progress.
import type { Cell, Reading, Result } from "./results.ts";

export function createCollector() {
	const found = new Map<string, Cell & { readings: Reading[] }>();
	return {
		add(cell: Cell, readings: readonly Reading[]) {
			const key = JSON.stringify(cell);
			const result = found.get(key) ?? { ...cell, readings: [] };
			result.readings.push(...readings);
			found.set(key, result);
			const { target, trial, animals, connections } = cell;
			console.error(
				`${target}, ${trial}, ${animals} animals, ${connections} connections: ${readings.map(toText).join(", ")}`,
			);
		},
		results: (): Result[] => [...found.values()],
	};
}

function toText({ processorUs, rate, isDisturbed }: Reading): string {
	const shown = isDisturbed ? "(disturbed)" : `${rate.toFixed(0)}/s`;
	return `${processorUs.toFixed(1)} µs ${shown}`;
}
