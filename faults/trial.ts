// Strikes again and again under writers and a reader, then counts what became of every acknowledged animal.
import { startWriters, type Writers } from "../harness/writers.ts";
import { countAnimals } from "./count.ts";
import { type Reader, startReader } from "./reader.ts";
import type { Tally } from "./tally.ts";

export const apiKey = "a-key-known-to-the-faults";

/** What a scenario gets. */
export interface Setting {
	readonly rounds: number;
	/** The command line to break: this project's, or that of a copy with a planted fault. */
	readonly program: string;
	/** A folder of its own. */
	readonly folder: string;
	readonly onRound: (round: number) => void;
}

export interface Trial {
	readonly writers: number;
	/** Of each writer, between two animals. */
	readonly pauseMs?: number;
	/** Where the service listens; those that are down may be among them. */
	readonly urls: () => readonly string[];
	/** Whether it ends the service under its clients; if not, each of them must be answered. */
	readonly kills?: true;
	/** Breaks something and mends it; returns the recovery. */
	readonly strike: (load: Load) => Promise<number>;
	/** What is to happen before the last walk. */
	readonly settle?: () => Promise<void>;
}

/** The clients, for faults that last until they were noticed. */
export interface Load {
	readonly writers: Writers;
	readonly reader: Reader;
	/** What else has gone wrong. */
	readonly wrong: string[];
	/** To be called at the moment from which the service could go on; resolves with the milliseconds until it did. */
	readonly recovery: () => Promise<number>;
}

export async function strikeUnderLoad(
	setting: Setting,
	trial: Trial,
): Promise<Tally> {
	const load = startLoad(trial);
	const recoveriesMs = await strikeRepeatedly(setting, trial, load);
	await trial.settle?.();
	const [url = ""] = trial.urls();
	const { acknowledged } = load.writers;
	const found = await countAnimals(url, apiKey, acknowledged);
	return {
		...found,
		rounds: recoveriesMs.length,
		acknowledged: acknowledged.size,
		wrong: [...toWrongAnswers(load, trial), ...found.wrong],
		recoveriesMs,
	};
}

function startLoad({ writers: count, pauseMs, urls }: Trial): Load {
	const writers = startWriters(count, apiKey, urls, pauseMs);
	const reader = startReader(apiKey, urls, writers);
	const recovery = async () => {
		const since = performance.now();
		await writers.progress();
		return performance.now() - since;
	};
	return { writers, reader, wrong: [], recovery };
}

/** Until something has gone wrong: further rounds would tell nothing new. */
async function strikeRepeatedly(
	{ rounds, onRound }: Setting,
	trial: Trial,
	load: Load,
): Promise<number[]> {
	const { writers, reader, wrong } = load;
	const recoveriesMs: number[] = [];
	try {
		for (let round = 1; round <= rounds; round++) {
			await Promise.all([writers.progress(), reader.progress()]);
			await Bun.sleep(50 + Math.random() * 200);
			recoveriesMs.push(await trial.strike(load));
			onRound(round);
			if (toWrongAnswers(load, trial).length > 0) break;
		}
		if (!(await isDone(writers.stop())))
			wrong.push("an add was never acknowledged");
	} finally {
		writers.abandon();
		await reader.stop();
	}
	return recoveriesMs;
}

async function isDone(work: Promise<void>): Promise<boolean> {
	const done = work.then(() => true);
	return Promise.race([done, Bun.sleep(patienceMs).then(() => false)]);
}

const patienceMs = 10_000;

function toWrongAnswers(
	{ writers, reader, wrong }: Load,
	{ kills }: Trial,
): string[] {
	const slowest = writers.slowestMs();
	const late =
		slowest > promisedMs ? [`an answer took ${slowest.toFixed(0)} ms`] : [];
	const unanswered = kills ? 0 : writers.unanswered();
	const missing =
		unanswered > 0 ? [`${unanswered} adds were not answered`] : [];
	return [...writers.wrong, ...reader.wrong, ...wrong, ...late, ...missing];
}

/** Nobody waits longer for an answer, whatever it is. */
const promisedMs = 3_000;
