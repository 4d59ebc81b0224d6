// A worker: serves until its supervisor, or a signal, tells it to stop.
import { once } from "node:events";
import type { Petstore } from "../petstore.ts";
import { isStop, listening } from "./messages.ts";

/** Returns when the service has stopped. `signal` resolves when the process gets a signal to stop. */
export async function work(
	petstore: Petstore,
	signal: Promise<unknown>,
	drainMs: number,
): Promise<void> {
	const stopMessage = new Promise((resolve) => {
		process.on("message", (message) => {
			if (isStop(message)) resolve(message);
		});
	});
	const drainTime = Promise.race([signal, stopMessage]).then(() => drainMs);
	// The supervisor has gone, and the next one needs the port: no draining.
	const noDrainTime = once(process, "disconnect").then(() => 0);
	process.send?.(listening);
	const chosen = await Promise.race([drainTime, noDrainTime]);
	await petstore.stop({ drainMs: chosen });
}
