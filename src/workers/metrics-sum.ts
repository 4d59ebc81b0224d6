// Adds up the metrics of all workers, in their supervisor. The counts of an ended process stay in the sum, so no total falls.
import { setTimeout as sleep } from "node:timers/promises";
import { metricsWaitMs } from "../limits.ts";
import {
	addSnapshots,
	noMetrics,
	type Snapshot,
	toEnded,
} from "../usage/metrics/snapshot.ts";
import { isMessage } from "./messages.ts";
import type { WorkerProcess } from "./supervised-worker.ts";

/** How often a worker sends its metrics. A killed worker loses the counts since the last time. */
export const metricsSendMs = 1_000;

/** Returns a function that adds a process to the sum, and sends it the sum on request. */
export function createMetricsSum(): (process: WorkerProcess) => void {
	const sources = new Set<ReturnType<typeof createSource>>();
	/** The sum of the processes that were removed. */
	let past = noMetrics;

	async function collect(): Promise<Snapshot> {
		const answers = [...sources].map(({ ask }) => ask());
		const timeout = sleep(metricsWaitMs, undefined, { ref: false });
		await Promise.race([Promise.all(answers), timeout]);
		return addSnapshots([past, ...[...sources].map((one) => one.latest())]);
	}

	return (process) => {
		const source = createSource(process);
		sources.add(source);
		void process.ended.then(async () => {
			// A last message may arrive after the process has ended.
			await sleep(metricsSendMs, undefined, { ref: false });
			sources.delete(source);
			past = addSnapshots([past, source.latest()]);
		});
		process.onMessage(async (message) => {
			if (isMessage(message, "collect metrics"))
				process.send({ type: "all metrics", snapshot: await collect() });
		});
	};
}

function createSource(process: WorkerProcess) {
	let snapshot = noMetrics;
	let hasEnded = false;
	let sent = Promise.withResolvers<void>();

	process.onMessage((message) => {
		if (!isMessage(message, "own metrics")) return;
		snapshot = message.snapshot;
		sent.resolve();
		sent = Promise.withResolvers();
	});
	void process.ended.then(() => {
		hasEnded = true;
		sent.resolve();
	});
	return {
		/** The last snapshot; without gauges once the process has ended. */
		latest: () => (hasEnded ? toEnded(snapshot) : snapshot),
		/** Resolves when it has sent its metrics again, or has ended. */
		async ask(): Promise<void> {
			process.send({ type: "send metrics" });
			if (!hasEnded) await sent.promise;
		},
	};
}
