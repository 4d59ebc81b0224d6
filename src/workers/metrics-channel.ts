// The metrics of a worker: it sends its own to its supervisor, and gets those of all workers from it. So it does not matter which worker
// answers Prometheus.
import { withTimeout } from "../async/timeout.ts";
import { unavailable } from "../contract/errors.ts";
import { allMetricsWaitMs, metricsSendMs } from "../limits.ts";
import type { Snapshot } from "../usage/metrics/snapshot.ts";
import {
	type CollectMetrics,
	isAllMetrics,
	isSendMetrics,
	type OwnMetrics,
} from "./messages.ts";

export interface MetricsChannel {
	/** The metrics of all workers. Fails rather than with those of this one alone, whose totals would be lower than the last ones. */
	readonly collect: () => Promise<Snapshot>;
	/** Sends what `read` returns: at intervals, and when the supervisor asks for it. */
	readonly start: (read: () => Snapshot) => void;
	/** Resolves when the metrics were sent for the last time. It may not resolve if the supervisor has gone. */
	readonly stop: () => Promise<void>;
}

export function openMetricsChannel(): MetricsChannel {
	const waiting = new Map<number, (snapshot: Snapshot) => void>();
	let lastNumber = 0;
	let timer: Timer | undefined;
	let send = async (): Promise<void> => {};

	process.on("message", (message) => {
		if (isSendMetrics(message)) void send();
		if (isAllMetrics(message)) waiting.get(message.number)?.(message.snapshot);
	});

	return {
		async collect() {
			const number = ++lastNumber;
			const { promise, resolve } = Promise.withResolvers<Snapshot>();
			waiting.set(number, resolve);
			const message: CollectMetrics = { type: "collect metrics", number };
			void sendToSupervisor(message);
			return withTimeout(allMetricsWaitMs, promise, notCollected).finally(() =>
				waiting.delete(number),
			);
		},
		start(read) {
			send = () => {
				const snapshot = read();
				const message: OwnMetrics = { type: "own metrics", snapshot };
				return sendToSupervisor(message);
			};
			timer = setInterval(send, metricsSendMs);
			timer.unref();
		},
		async stop() {
			clearInterval(timer);
			await send();
		},
	};
}

/** Resolves when the message was sent. */
function sendToSupervisor(message: object): Promise<void> {
	return new Promise((resolve) => {
		if (process.connected) process.send?.(message, () => resolve());
		else resolve();
	});
}

function notCollected() {
	return unavailable("The metrics of the workers cannot be collected now.");
}
