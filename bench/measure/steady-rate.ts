// Measures a target at a steady rate: how long a list takes while the server is not saturated, and while it commits to a slow disk.
import type { Load } from "../load/load.ts";
import { runLoad } from "../load/run.ts";
import { waitAfterStart } from "../machine/processor-time.ts";
import type { Target } from "../plan/targets.ts";
import { add, list, type SteadyRateTrial } from "../plan/trials.ts";
import type { Datasets } from "./datasets.ts";
import { launch } from "./launch.ts";
import { runLoadAndSampleMemory } from "./peak-memory.ts";
import type { Reading } from "./results.ts";

export interface SteadyRateTask {
	readonly target: Target;
	readonly trial: SteadyRateTrial;
	readonly animals: number;
	readonly connections: number;
	/** Requests a second. */
	readonly rate: number;
	readonly seconds: number;
}

export async function measureAtSteadyRate(
	task: SteadyRateTask,
	datasets: Datasets,
): Promise<Reading> {
	const { target, trial, animals } = task;
	const catalogues = datasets.catalogues[target.storage];
	const catalogue = await catalogues.prepare(animals, true);
	const server = await launch(target, {
		catalogue: catalogue.location,
		reply: "",
		wrapper: trial.slowDisk ? slowDisk : [],
	});
	try {
		const busy = await waitAfterStart();
		const idleMb = server.residentMb();
		const lists = toListLoad(task, server.url);
		const adds = toAddLoad(task, server.url);
		await Promise.all([
			runLoad({ ...lists, seconds: warmUpSeconds }),
			adds && runLoad({ ...adds, seconds: warmUpSeconds }),
		]);
		const adding = adds && runLoad(adds);
		const loaded = await runLoadAndSampleMemory(server, lists);
		await adding;
		return { ...loaded, idleMb, busy, startMs: server.startMs };
	} finally {
		await server.stop();
		await catalogue.removeCopy();
	}
}

const warmUpSeconds = 1;

/** Delays every sync. With -D strace is not the parent of the server, so the process that was started is the server itself. */
const slowDisk = [
	...["strace", "-D", "-f", "--seccomp-bpf", "-o", "/dev/null"],
	...["-e", "trace=fsync,fdatasync"],
	...["-e", "inject=fsync,fdatasync:delay_exit=5000"],
];

function toListLoad(task: SteadyRateTask, url: string): Load {
	const { connections, rate, animals, seconds } = task;
	const templates = [list];
	const firstNumber = 0;
	return { url, templates, animals, firstNumber, connections, seconds, rate };
}

function toAddLoad(
	{ trial, animals, seconds }: SteadyRateTask,
	url: string,
): Load | undefined {
	if (trial.addConnections === undefined) return undefined;
	return {
		url,
		templates: [add],
		animals,
		firstNumber: 0,
		connections: trial.addConnections,
		seconds,
	};
}
