// Injects a fault repeatedly while clients write and read, then compares the catalogue with the acknowledged adds.
import { waitFor } from "../../test/harness/process.ts";
import { startWriters, type Writers } from "../../test/harness/writers.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { apiKey } from "../service.ts";
import { countAnimals } from "./count.ts";
import { type OnceWriter, startOnceWriter } from "./once.ts";
import { type Reader, startReader } from "./reader.ts";
import { measureMs, toResult } from "./result.ts";

/** A fault, and the load under which it is injected. */
interface Injection {
	readonly writers: number;
	/** Each writer's pause between two adds. */
	readonly pauseMs?: number;
	/** An address of the service, which may be down. */
	readonly url: () => string;
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
	/** Resolves when an add has been refused. A full disk still accepts what fits into the WAL file at its present length. */
	readonly refusal: () => Promise<void>;
}

export async function injectUnderLoad(
	options: ScenarioOptions,
	injection: Injection,
): Promise<Result> {
	const load = startLoad(injection);
	const recoveriesMs = await injectRepeatedly(options, injection, load);
	await injection.beforeCount?.();
	const { acknowledged } = load.writers;
	const url = injection.url();
	const found = await countAnimals(url, apiKey, acknowledged, load.once);
	return toResult({
		...found,
		acknowledged: acknowledged.size,
		wrong: [...findWrong(load, injection, options), ...found.wrong],
		recoveriesMs,
	});
}

function startLoad({ writers: count, pauseMs, url }: Injection): Load {
	const writers = startWriters(count, apiKey, url, pauseMs);
	const once = startOnceWriter(apiKey, url);
	const reader = startReader(apiKey, url, writers);
	const measureRecovery = () => measureMs(writers.progress);
	const wrong: string[] = [];
	const refusals = () =>
		(writers.statuses.get(503) ?? 0) + writers.wrong.length;
	const refusal = async () => {
		const before = refusals();
		await waitFor(() => refusals() > before, "", 5_000).catch(() =>
			wrong.push("adds were not refused"),
		);
	};
	return { writers, once, reader, wrong, measureRecovery, refusal };
}

/** Stops after the first wrong answer, because further rounds would show nothing new. */
async function injectRepeatedly(
	options: ScenarioOptions,
	injection: Injection,
	load: Load,
): Promise<number[]> {
	const { writers, once, reader, wrong } = load;
	const recoveriesMs: number[] = [];
	try {
		for (let round = 1; round <= options.size; round++) {
			await Promise.all([writers.progress(), reader.progress()]);
			await Bun.sleep(50 + Math.random() * 200);
			recoveriesMs.push(await injection.inject(load));
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
	{ isBusy }: ScenarioOptions,
): string[] {
	// The service promises 3 seconds.
	const maxAnswerMs = isBusy ? 10_000 : 3_000;
	const slowest = writers.slowestMs();
	const late =
		slowest > maxAnswerMs ? [`an answer took ${slowest.toFixed(0)} ms`] : [];
	const unanswered = killsService ? 0 : writers.unanswered();
	const missing =
		unanswered > 0 ? [`${unanswered} adds were not answered`] : [];
	const replies = [...writers.wrong, ...once.wrong, ...reader.wrong];
	return [...replies, ...wrong, ...late, ...missing];
}
