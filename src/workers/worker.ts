// A worker: serves until its supervisor, or a signal, tells it to stop.
import { once } from "node:events";
import type { Petstore } from "../petstore.ts";
import { isStop, listening } from "./messages.ts";

/** `signal` resolves at the first signal to stop. Resolves when the worker has stopped. */
export async function work(
	petstore: Petstore,
	signal: Promise<unknown>,
	drainMs: number,
): Promise<void> {
	const told = new Promise((resolve) => {
		process.on("message", (message) => {
			if (isStop(message)) resolve(message);
		});
	});
	const drained = Promise.race([signal, told]).then(() => drainMs);
	// The supervisor has gone, and the next one needs the port: no draining.
	const orphaned = once(process, "disconnect").then(() => 0);
	process.send?.(listening);
	await petstore.stop({ drainMs: await Promise.race([drained, orphaned]) });
}
