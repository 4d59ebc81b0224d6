// The metrics of all workers, as their supervisor adds them up. What a process has counted stays in the sum when it ends, so no total
// ever falls.
import { setTimeout as sleep } from "node:timers/promises";
import { metricsSendMs, metricsWaitMs } from "../limits.ts";
import {
	addSnapshots,
	noMetrics,
	type Snapshot,
	toEnded,
} from "../usage/metrics/snapshot.ts";
import {
	type AllMetrics,
	isCollectMetrics,
	isOwnMetrics,
	sendMetrics,
} from "./messages.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface MetricsSum {
	/** From now on the metrics of this process are in the sum, and it gets the sum when it asks for it. */
	readonly add: (
		process: Pick<WorkerProcess, "ended" | "onMessage" | "send">,
	) => void;
}

export function createMetricsSum({ waitMs = metricsWaitMs } = {}): MetricsSum {
	const sources = new Set<Source>();
	/** The sum of the processes that were removed. */
	let past = noMetrics;
	let collecting: Promise<Snapshot> | undefined;

	function remove(source: Source): void {
		sources.delete(source);
		past = addSnapshots([past, source.latest()]);
	}

	/** Callers that come before the workers have answered share the answer. */
	function collect(): Promise<Snapshot> {
		collecting ??= collectNow().finally(() => {
			collecting = undefined;
		});
		return collecting;
	}

	async function collectNow(): Promise<Snapshot> {
		const answers = [...sources].map(({ ask }) => ask());
		const timeout = sleep(waitMs, undefined, { ref: false });
		await Promise.race([Promise.all(answers), timeout]);
		return addSnapshots([past, ...[...sources].map((one) => one.latest())]);
	}

	return {
		add(process) {
			const source = createSource(process);
			sources.add(source);
			// A last message may arrive after the process has ended.
			void process.ended.then(() =>
				setTimeout(remove, metricsSendMs, source).unref(),
			);
			process.onMessage(async (message) => {
				if (!isCollectMetrics(message)) return;
				const { number } = message;
				const snapshot = await collect();
				const reply: AllMetrics = { type: "all metrics", number, snapshot };
				process.send(reply);
			});
		},
	};
}

interface Source {
	/** What it has sent last; without what is not true any more once it has ended. */
	readonly latest: () => Snapshot;
	/** Resolves when it has sent its metrics again, or has ended. */
	readonly ask: () => Promise<void>;
}

function createSource(process: Parameters<MetricsSum["add"]>[0]): Source {
	let snapshot = noMetrics;
	let hasEnded = false;
	let sent = Promise.withResolvers<void>();

	function resolve(): void {
		sent.resolve();
		sent = Promise.withResolvers();
	}

	process.onMessage((message) => {
		if (!isOwnMetrics(message)) return;
		snapshot = message.snapshot;
		resolve();
	});
	void process.ended.then(() => {
		hasEnded = true;
		resolve();
	});
	return {
		latest: () => (hasEnded ? toEnded(snapshot) : snapshot),
		async ask() {
			if (hasEnded) return;
			process.send(sendMetrics);
			await sent.promise;
		},
	};
}
