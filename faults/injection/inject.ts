// Injects a fault repeatedly while clients write and read, then compares the catalogue with the acknowledged adds.
import { startWriters, type Writers } from "../../test/harness/writers.ts";
import { apiKey, type Target } from "../target/target.ts";
import { countAnimals } from "./count.ts";
import { type OnceWriter, startOnceWriter } from "./once.ts";
import { type Reader, startReader } from "./reader.ts";
import type { ScenarioResult } from "./result.ts";

/** The argument of every fault scenario. */
export interface ScenarioOptions extends Target {
	readonly rounds: number;
	/** How long an answer may take. The service promises 3 seconds. On a busy machine, tests allow more. */
	readonly maxAnswerMs: number;
	readonly onRound: (round: number) => void;
}

/** A fault, and the load under which it is injected. */
export interface Injection {
	readonly writers: number;
	/** Each writer's pause between two adds. */
	readonly pauseMs?: number;
	/** The addresses of the service. One may belong to a process that is down. */
	readonly urls: () => readonly string[];
	/** The fault kills processes of the service. Otherwise every add must get a reply. */
	readonly killsService?: true;
	/** Causes the fault, ends it, and returns the milliseconds of the recovery. */
	readonly inject: (load: Load) => Promise<number>;
	/** Runs before the catalogue is compared. */
	readonly beforeCount?: () => Promise<void>;
}

/** The running clients. A fault can wait until they notice it. */
export interface Load {
	readonly writers: Writers;
	readonly once: OnceWriter;
	readonly reader: Reader;
	/** Wrong behaviour that the clients do not see. */
	readonly wrong: string[];
	/** To be called when the cause is removed. Resolves with the milliseconds until the next acknowledgement. */
	readonly measureRecovery: () => Promise<number>;
}

export async function injectUnderLoad(
	options: ScenarioOptions,
	injection: Injection,
): Promise<ScenarioResult> {
	const load = startLoad(injection);
	const recoveriesMs = await injectRepeatedly(options, injection, load);
	await injection.beforeCount?.();
	const [url = ""] = injection.urls();
	const { acknowledged } = load.writers;
	const found = await countAnimals(url, apiKey, acknowledged, load.once);
	return {
		...found,
		rounds: recoveriesMs.length,
		acknowledged: acknowledged.size,
		wrong: [...findWrong(load, injection, options), ...found.wrong],
		recoveriesMs,
	};
}

function startLoad({ writers: count, pauseMs, urls }: Injection): Load {
	const writers = startWriters(count, apiKey, urls, pauseMs);
	const once = startOnceWriter(apiKey, urls);
	const reader = startReader(apiKey, urls, writers);
	const measureRecovery = async () => {
		const since = performance.now();
		await writers.progress();
		return performance.now() - since;
	};
	return { writers, once, reader, wrong: [], measureRecovery };
}

/** Stops after the first wrong answer, because further rounds would show nothing new. */
async function injectRepeatedly(
	options: ScenarioOptions,
	injection: Injection,
	load: Load,
): Promise<number[]> {
	const { rounds, onRound } = options;
	const { writers, once, reader, wrong } = load;
	const recoveriesMs: number[] = [];
	try {
		for (let round = 1; round <= rounds; round++) {
			await Promise.all([writers.progress(), reader.progress()]);
			await Bun.sleep(50 + Math.random() * 200);
			recoveriesMs.push(await injection.inject(load));
			onRound(round);
			if (findWrong(load, injection, options).length > 0) break;
		}
		if (!(await isDoneInTime(writers.stop())))
			wrong.push("an add was never acknowledged");
	} finally {
		writers.abandon();
		await once.stop();
		await reader.stop();
	}
	return recoveriesMs;
}

async function isDoneInTime(work: Promise<void>): Promise<boolean> {
	const done = work.then(() => true);
	return Promise.race([done, Bun.sleep(stopTimeoutMs).then(() => false)]);
}

const stopTimeoutMs = 10_000;

function findWrong(
	{ writers, once, reader, wrong }: Load,
	{ killsService }: Injection,
	{ maxAnswerMs }: ScenarioOptions,
): string[] {
	const slowest = writers.slowestMs();
	const late =
		slowest > maxAnswerMs ? [`an answer took ${slowest.toFixed(0)} ms`] : [];
	const unanswered = killsService ? 0 : writers.unanswered();
	const missing =
		unanswered > 0 ? [`${unanswered} adds were not answered`] : [];
	const replies = [...writers.wrong, ...once.wrong, ...reader.wrong];
	return [...replies, ...wrong, ...late, ...missing];
}
