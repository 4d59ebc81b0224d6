// Measures a target at a steady rate: how long a list takes while the server is not saturated, and while it commits to a slow disk.
import type { Load } from "../load/load.ts";
import { runLoad } from "../load/run.ts";
import { waitAfterStart } from "../machine/processor-time.ts";
import type { Target } from "../plan/target.ts";
import { add, list, type SteadyRateTrial, type Trial } from "../plan/trials.ts";
import type { Datasets } from "./datasets.ts";
import { launch, type Server } from "./launch.ts";
import { runMeasuredLoad } from "./measured-load.ts";
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
		replies: target.repeats ? await datasets.record(listTrial, animals) : "",
		wrapper: trial.slowDisk ? slowDisk : [],
	});
	try {
		const busy = await waitAfterStart();
		const idleMb = server.residentMb();
		const lists = toListLoad(task, server);
		const adds = toAddLoad(task, server);
		await Promise.all([
			runLoad({ ...lists, seconds: warmUpSeconds }),
			adds && runLoad({ ...adds, seconds: warmUpSeconds }),
		]);
		const adding = adds && runLoad(adds);
		const loaded = await runMeasuredLoad(server, lists);
		await adding;
		return { ...loaded, idleMb, busy, startMs: server.startMs };
	} finally {
		await server.stop();
		await catalogue.removeCopy();
	}
}

const warmUpSeconds = 1;

const listTrial: Trial = { name: "list", requests: () => [list] };

/** Delays every sync. With -D strace is not the parent of the server, so the process that was started is the server itself. */
const slowDisk = [
	...["strace", "-D", "-f", "--seccomp-bpf", "-o", "/dev/null"],
	...["-e", "trace=fsync,fdatasync"],
	...["-e", "inject=fsync,fdatasync:delay_exit=5000"],
];

function toListLoad(task: SteadyRateTask, { url, keys }: Server): Load {
	const { connections, rate, animals, seconds } = task;
	return {
		...{ url, keys, animals, connections, seconds, rate },
		templates: [list],
		firstNumber: 0,
	};
}

function toAddLoad(
	{ trial, animals, seconds }: SteadyRateTask,
	{ url, keys }: Server,
): Load | undefined {
	if (trial.addConnections === undefined) return undefined;
	return {
		...{ url, keys, animals, seconds },
		templates: [add],
		firstNumber: 0,
		connections: trial.addConnections,
	};
}
