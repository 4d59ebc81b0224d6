// Readings at a steady rate: how long a list takes while the server has time to spare, and while it commits to a slow disk.
import { launch } from "./launch.ts";
import { runLoad } from "./load/run.ts";
import { waitForQuiet } from "./machine.ts";
import { rest, watch } from "./measure.ts";
import type { Reading } from "./results.ts";
import type { Shelf } from "./shelf.ts";
import type { Target } from "./targets.ts";
import { add, list, type PacedTrial } from "./trials.ts";

export interface Pace {
	readonly target: Target;
	readonly trial: PacedTrial;
	readonly animals: number;
	readonly connections: number;
	/** Requests a second. */
	readonly rate: number;
	readonly seconds: number;
}

export async function measurePaced(pace: Pace, shelf: Shelf): Promise<Reading> {
	const { target, trial, animals } = pace;
	const lender = shelf.catalogues[target.catalogue];
	const loan = await lender.lend(animals, true);
	const server = await launch(target, {
		catalogue: loan.place,
		reply: "",
		wrapper: trial.slowDisk ? slowDisk : [],
	});
	try {
		const busy = await waitForQuiet(...rest);
		const idleMb = server.residentMb();
		const load = listLoad(pace, server.url);
		const adding = addLoad(pace, server.url);
		await Promise.all([
			runLoad({ ...load, seconds: warmUpSeconds }),
			adding && runLoad({ ...adding, seconds: warmUpSeconds }),
		]);
		const others = adding && runLoad(adding);
		const watched = await watch(server, load);
		await others;
		return { ...watched, idleMb, busy, startMs: server.startMs };
	} finally {
		await server.stop();
		await loan.giveBack();
	}
}

const warmUpSeconds = 1;

/** The tracer runs beside the server and not above it, so the process that was started is the server. */
const slowDisk = [
	...["strace", "-D", "-f", "--seccomp-bpf", "-o", "/dev/null"],
	...["-e", "trace=fsync,fdatasync"],
	...["-e", "inject=fsync,fdatasync:delay_exit=5000"],
];

function listLoad(pace: Pace, url: string) {
	const { connections, rate, animals, seconds } = pace;
	const templates = [list];
	const firstNumber = 0;
	return { url, templates, animals, firstNumber, connections, seconds, rate };
}

function addLoad({ trial, animals, seconds }: Pace, url: string) {
	if (trial.adders === undefined) return undefined;
	return {
		url,
		templates: [add],
		animals,
		firstNumber: 0,
		connections: trial.adders,
		seconds,
	};
}
