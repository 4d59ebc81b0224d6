// Loaded by a service under test before its own code: measures the turns of its event loop and its memory, and tells them on a socket.
import { readFileSync } from "node:fs";
import { readMemory } from "../../src/program.ts";

export interface Measured {
	/** The longest turn since the last question, in milliseconds. */
	readonly turnMs: number;
	readonly memoryMb: number;
	/** The largest since the last question. */
	readonly peakMb: number;
}

/** The variable with the path of the socket. */
export const socketVariable = "TURNS_SOCKET";

const unix = process.env[socketVariable];

if (unix !== undefined) {
	// Its child processes have event loops of their own. Those of the build are started with the same options.
	delete process.env.BUN_OPTIONS;
	delete process.env[socketVariable];
	let [last, turnMs, peak] = [readTime(), 0, 0];
	const look = () => {
		const now = readTime();
		turnMs = Math.max(turnMs, now - last);
		last = now;
	};
	const weigh = () => {
		const memory = readMemory() ?? 0;
		peak = Math.max(peak, memory);
		return memory / 2 ** 20;
	};
	setInterval(look, 1);
	setInterval(weigh, 20);
	Bun.serve({
		unix,
		fetch() {
			look();
			const memoryMb = weigh();
			const told: Measured = { turnMs, memoryMb, peakMb: peak / 2 ** 20 };
			[turnMs, peak] = [0, 0];
			return Response.json(told);
		},
	});
}

/** Milliseconds, without those in which other programs had the processors: Linux counts how long this thread could have run and did not. */
function readTime(): number {
	const [, waited] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
	return performance.now() - Number(waited) / 1e6;
}
