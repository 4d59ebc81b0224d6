// Runs a load on a server and samples the server's resident memory during the load.
import type { Load, Outcome } from "../load/load.ts";
import { runLoad } from "../load/run.ts";
import type { Server } from "./launch.ts";

/** Adds the most memory that was seen to the outcome of the load. */
export async function runLoadAndSampleMemory(
	server: Server,
	load: Load,
): Promise<Outcome & { loadMb: number }> {
	const samples: number[] = [];
	const timer = setInterval(() => samples.push(server.residentMb()), 100);
	try {
		const outcome = await runLoad(load);
		return { ...outcome, loadMb: Math.max(server.residentMb(), ...samples) };
	} finally {
		clearInterval(timer);
	}
}
