// One of the threads of open-together.slow.test.ts: opens and closes each of the files at the same moment as the others.
import { openDatabase } from "../../src/store/sqlite/connection.ts";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<OpenTogether>) => {
	const arrivals = new Int32Array(data.arrivals);
	const failures: string[] = [];
	for (const [round, path] of data.paths.entries()) {
		meet(arrivals, round, data.threads);
		try {
			openDatabase(path, "create").close();
		} catch (error) {
			failures.push(String(error));
		}
	}
	self.postMessage(failures);
};

/** Returns as soon as all threads are in this round. It does not sleep, so that they go on at the same moment. */
function meet(arrivals: Int32Array, round: number, threads: number): void {
	Atomics.add(arrivals, round, 1);
	while (Atomics.load(arrivals, round) < threads);
}

export interface OpenTogether {
	readonly threads: number;
	readonly paths: readonly string[];
	/** How many threads have come to each round, as 32-bit integers. */
	readonly arrivals: SharedArrayBuffer;
}
