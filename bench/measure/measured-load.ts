// Runs a load on a server and measures what the server uses for it: processor time and memory.
import type { Load } from "../load/load.ts";
import { runLoad } from "../load/run.ts";
import { measureUse } from "../machine/processor-time.ts";
import type { Server } from "./launch.ts";
import type { Reading } from "./results.ts";

/** The part of a reading that comes from a load. */
export type LoadReading = Omit<Reading, "idleMb" | "startMs" | "busy">;

export async function runMeasuredLoad(
	server: Server,
	load: Load,
	databaseTimeNs = () => Number.NaN,
): Promise<LoadReading> {
	const samples: number[] = [];
	const timer = setInterval(() => samples.push(server.residentMb()), 100);
	try {
		const databaseBefore = databaseTimeNs();
		const { value, usedNs, isDisturbed } = await measureUse(
			server.processorTimeNs,
			() => runLoad(load),
		);
		const databaseNs = databaseTimeNs() - databaseBefore;
		const { requests, seconds, p99Ms, generatorShare } = value;
		return {
			p99Ms,
			generatorShare,
			isDisturbed,
			rate: requests / seconds,
			processorUs: usedNs / 1000 / requests,
			databaseUs: databaseNs / 1000 / requests,
			serverShare: usedNs / 1e9 / seconds,
			loadMb: Math.max(server.residentMb(), ...samples),
		};
	} finally {
		clearInterval(timer);
	}
}
