// A worker: serves until its supervisor, or a signal, tells it to stop.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { StopOptions } from "../http/server.ts";
import { connectionsEndMs, metricsWaitMs } from "../limits.ts";
import type { Petstore } from "../petstore.ts";
import { isRetire, isStop, listening } from "./messages.ts";
import type { MetricsChannel } from "./metrics-channel.ts";

/** Returns when the service has stopped. `signal` resolves when the process gets a signal to stop. */
export async function work(
	petstore: Petstore,
	signal: Promise<unknown>,
	drainMs: number,
	metrics: MetricsChannel,
): Promise<void> {
	const disconnected = once(process, "disconnect");
	const told = messageToStop(drainMs, disconnected);
	const signalled = signal.then(() => ({ drainMs }));
	// The supervisor has gone, and the next one needs the port: no draining.
	const abandoned = disconnected.then(() => ({ drainMs: 0 }));
	process.send?.(listening);
	metrics.start(petstore.readMetrics);
	await petstore.stop(await Promise.race([told, signalled, abandoned]));
	// A message to a supervisor that has closed the channel is never sent.
	await Promise.race([metrics.stop(), disconnected, sleep(metricsWaitMs)]);
}

function messageToStop(
	drainMs: number,
	disconnected: Promise<unknown>,
): Promise<StopOptions> {
	return new Promise((resolve) => {
		process.on("message", (message) => {
			if (isStop(message)) resolve({ drainMs });
			if (isRetire(message)) resolve(toRetirement(drainMs, disconnected));
		});
	});
}

/** Until all connections have ended; or, if the supervisor stops or is killed, not any longer. */
function toRetirement(
	drainMs: number,
	disconnected: Promise<unknown>,
): StopOptions {
	const hurry = new AbortController();
	void disconnected.then(() => hurry.abort());
	return {
		drainMs: Math.max(drainMs, connectionsEndMs),
		isReplaced: true,
		hurry: hurry.signal,
	};
}
