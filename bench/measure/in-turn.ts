// Measures several targets in turn. Each has a new process and its catalogue. All are warmed up, and then loaded turn by turn.
import {
	type KeyedTemplate,
	type Load,
	toRequest,
	withKeys,
} from "../load/load.ts";
import { runLoad } from "../load/run.ts";
import { waitAfterStart } from "../machine/processor-time.ts";
import { slowDisk } from "../machine/programs.ts";
import type { Target } from "../plan/target.ts";
import { add, type Trial } from "../plan/trials.ts";
import type { Datasets } from "./datasets.ts";
import { launch, type Server } from "./launch.ts";
import { runMeasuredLoad } from "./measured-load.ts";
import { createPace, type Pace } from "./pace.ts";
import type { Reading } from "./results.ts";

export interface Task {
	readonly target: Target;
	readonly trial: Trial;
	readonly animals: number;
	readonly connections: number;
	/** Requests a second; as many as the server answers if not given. */
	readonly rate?: number;
}

/** Returns one reading per turn for each task. A slow moment of the machine affects all readings of its turn. */
export async function measureInTurn(
	tasks: readonly Task[],
	{ warmUpSeconds, turns }: { warmUpSeconds: number; turns: number },
	datasets: Datasets,
): Promise<readonly (readonly Reading[])[]> {
	const running: RunningTask[] = [];
	try {
		for (const task of tasks) running.push(await startTask(task, datasets));
		for (const task of running) await warmUp(task, warmUpSeconds);
		const readings = running.map((): Reading[] => []);
		const order = [...running.entries()];
		for (let turn = 1; turn <= turns; turn++) {
			for (const [index, task] of order)
				readings[index]?.push(await readTurn(task, turn));
			order.reverse();
		}
		return readings;
	} finally {
		for (const { stop } of running) await stop();
	}
}

interface RunningTask extends Pick<Reading, "idleMb" | "busy"> {
	readonly target: Target;
	readonly server: Server;
	readonly load: LoadOfTurn;
	/** For a load with a rate. */
	readonly pace: Pace | undefined;
	/** A second load that is not measured. */
	readonly besides: LoadOfTurn | undefined;
	readonly databaseTimeNs: (() => number) | undefined;
	readonly stop: () => Promise<void>;
}

type LoadOfTurn = Omit<Load, "firstNumber" | "seconds">;

async function startTask(task: Task, datasets: Datasets): Promise<RunningTask> {
	const { target, trial, animals, connections, rate } = task;
	const { addConnections } = trial;
	const replies = target.repeats ? await datasets.record(trial, animals) : "";
	const catalogues = datasets.catalogues[target.storage];
	const catalogue = await catalogues.prepare(animals, trial.adds ?? false);
	const server = await launch(target, {
		catalogue: catalogue.location,
		replies,
		wrapper: trial.slowDisk ? slowDisk : [],
	});
	const busy = await waitAfterStart();
	const idleMb = server.residentMb();
	const { url, keys, etag } = server;
	const templates = trial
		.requests({ animals, etag })
		.map((template) => target.translate?.(template) ?? template);
	const common = { url, keys, animals };
	await requireExpectedReplies(url, withKeys({ templates, keys }));
	return {
		target,
		server,
		busy,
		idleMb,
		databaseTimeNs: catalogues.processorTimeNs,
		load: { ...common, templates, connections },
		pace: rate === undefined ? undefined : createPace(rate, connections),
		besides:
			addConnections === undefined
				? undefined
				: { ...common, templates: [add], connections: addConnections },
		async stop() {
			await server.stop();
			await catalogue.removeCopy();
		},
	};
}

async function warmUp(
	{ target, load, pace, besides }: RunningTask,
	atLeast: number,
): Promise<void> {
	const seconds = Math.max(atLeast, target.warmUpSeconds ?? 0);
	if (seconds === 0) return;
	const part = { firstNumber: 0, seconds };
	const [outcome] = await Promise.all([
		runLoad({ ...load, ...part, pauseMs: pace?.pauseMs() ?? 0 }),
		besides && runLoad({ ...besides, ...part }),
	]);
	pace?.correct(outcome.requests / outcome.seconds);
}

async function readTurn(
	{ server, load, pace, besides, ...task }: RunningTask,
	turn: number,
): Promise<Reading> {
	// More than a turn can use, so that no number is sent twice.
	const part = { firstNumber: 50_000_000 * turn, seconds: 1 };
	const others = besides && runLoad({ ...besides, ...part });
	const loaded = await runMeasuredLoad(
		server,
		{ ...load, ...part, pauseMs: pace?.pauseMs() ?? 0 },
		task.databaseTimeNs,
	);
	pace?.correct(loaded.rate);
	await others;
	const { idleMb, busy } = task;
	return { ...loaded, idleMb, busy, startMs: server.startMs };
}

/** A server that sends wrong replies must not be measured, however fast it is. */
async function requireExpectedReplies(
	url: string,
	pairs: readonly KeyedTemplate[],
): Promise<void> {
	for (const pair of pairs.slice(0, 20)) {
		const { method, path, number, status } = pair.template;
		const request = toRequest(url, pair, number === "next" ? 999_999_999 : 1);
		const response = await fetch(request);
		const text = await response.text();
		// A list without animals has a 200 too.
		const isExpected =
			response.status === status && (status !== 200 || text.includes('"name"'));
		if (!isExpected)
			throw new Error(
				`${method} ${url}${path} gave ${response.status} instead of ${status}: ${text}`,
			);
	}
}
