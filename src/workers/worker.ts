// A worker: serves until a message of its supervisor or a signal stops it. It sends its metrics to its supervisor and gets the metrics of all
// workers from it, so any worker can answer Prometheus.
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
		// Until all connections have ended; or, if the supervisor stops or is killed, not any longer.
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
	// A message to a supervisor that has closed the channel is never sent.
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
		/** The metrics of all workers. Fails rather than with those of this one alone, whose totals would be lower than the last ones. */
		async collect(): Promise<Snapshot> {
			void send({ type: "collect metrics" });
			return withTimeout(allMetricsWaitMs, answer.promise, () =>
				unavailable("The metrics of the workers cannot be collected now."),
			);
		},
		/** Sends what `read` returns: at intervals, and when the supervisor asks for it. */
		start(read: () => Snapshot): void {
			sendOwn = () => send({ type: "own metrics", snapshot: read() });
			timer = setInterval(sendOwn, metricsSendMs);
			timer.unref();
		},
		/** Resolves when the metrics were sent for the last time. It may not resolve if the supervisor has ended. */
		async stop(): Promise<void> {
			clearInterval(timer);
			await sendOwn();
		},
	};
}

/** Resolves when the message was sent. */
function send(message: FromWorker): Promise<void> {
	return new Promise((resolve) => {
		if (process.connected) process.send?.(message, () => resolve());
		else resolve();
	});
}
