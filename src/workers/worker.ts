// A worker: serves until its supervisor or a signal stops it. It gets the metrics of all workers from its supervisor, so any worker can
// answer Prometheus.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../async/waiting.ts";
import { unavailable } from "../domain/errors.ts";
import type { StopOptions } from "../http/server/server.ts";
import {
	allMetricsWaitMs,
	connectionsEndMs,
	metricsWaitMs,
} from "../limits.ts";
import type { Petstore } from "../petstore.ts";
import type { Snapshot } from "../usage/metrics/snapshot.ts";
import { type FromWorker, isMessage } from "./messages.ts";
import { metricsSendMs } from "./metrics-sum.ts";

/** Returns when the service has stopped. `signal` resolves when the process gets a signal to stop. */
export async function work(
	petstore: Petstore,
	signal: Promise<unknown>,
	drainMs: number,
	metrics: ReturnType<typeof openMetricsChannel>,
): Promise<void> {
	// The supervisor may have been killed while this process started.
	const disconnected = process.connected
		? once(process, "disconnect")
		: Promise.resolve();
	const { promise: stop, resolve } = Promise.withResolvers<StopOptions>();
	const hurry = new AbortController();
	process.on("message", (message) => {
		if (isMessage(message, "stop")) resolve({ drainMs });
		// Drains until all connections have ended, or until the supervisor ends.
		if (isMessage(message, "retire"))
			resolve({
				drainMs: Math.max(drainMs, connectionsEndMs),
				isReplaced: true,
				hurry: hurry.signal,
			});
	});
	void signal.then(() => resolve({ drainMs }));
	void disconnected.then(() => {
		hurry.abort();
		// The supervisor has ended, and the next one needs the port: no draining.
		resolve({ drainMs: 0 });
	});
	void send({ type: "listening" });
	metrics.start(petstore.readMetrics);
	await petstore.stop(await stop);
	// Once the supervisor has closed the channel, `metrics.stop` never resolves.
	await Promise.race([metrics.stop(), disconnected, sleep(metricsWaitMs)]);
}

export function openMetricsChannel() {
	let answer = Promise.withResolvers<Snapshot>();
	let sendOwn = async (): Promise<void> => {};
	let timer: Timer | undefined;

	process.on("message", (message) => {
		if (isMessage(message, "send metrics")) void sendOwn();
		if (!isMessage(message, "all metrics")) return;
		answer.resolve(message.snapshot);
		answer = Promise.withResolvers();
	});

	return {
		/** The metrics of all workers. Fails on a timeout: the totals of this worker alone would be lower than before. */
		async collect(): Promise<Snapshot> {
			void send({ type: "collect metrics" });
			return withTimeout(allMetricsWaitMs, answer.promise, () =>
				unavailable("The metrics of the workers cannot be collected now."),
			);
		},
		/** Sends the result of `read`: at intervals, and when the supervisor asks for it. */
		start(read: () => Snapshot): void {
			sendOwn = () => send({ type: "own metrics", snapshot: read() });
			timer = setInterval(sendOwn, metricsSendMs);
			timer.unref();
		},
		/** Sends the metrics a last time. May never resolve if the supervisor has ended. */
		async stop(): Promise<void> {
			clearInterval(timer);
			await sendOwn();
		},
	};
}

function send(message: FromWorker): Promise<void> {
	return new Promise((resolve) => {
		if (process.connected) process.send?.(message, () => resolve());
		else resolve();
	});
}
