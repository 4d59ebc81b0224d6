// Waits until the fault makes the service refuse adds.
import type { Load } from "./inject.ts";

/** May take a while, because a full disk still accepts what fits into the WAL file at its present length. */
export async function waitForRefusal({ writers, wrong }: Load): Promise<void> {
	const refusals = () =>
		(writers.statuses.get(503) ?? 0) + writers.wrong.length;
	const [before, begun] = [refusals(), performance.now()];
	while (refusals() === before) {
		await Bun.sleep(2);
		if (performance.now() - begun < refusalTimeoutMs) continue;
		wrong.push("adds were not refused");
		return;
	}
}

const refusalTimeoutMs = 5_000;
