// Strikes again and again under writers and a reader, then counts what became of every acknowledged animal.
import { add, startWriters, type Writers, walk } from "../test/writers.ts";
import { type Reader, startReader } from "./reader.ts";
import type { Tally } from "./tally.ts";

export const apiKey = "a-key-known-to-the-faults";

/** What a scenario gets. */
export interface Setting {
	readonly rounds: number;
	/** The command line to break: this project's, or that of a copy with a planted fault. */
	readonly program: string;
	/** An empty folder. */
	readonly folder: string;
	readonly onRound: (round: number) => void;
}

/** The clients, for faults that last until they were noticed. */
export interface Load {
	readonly writers: Writers;
	readonly reader: Reader;
	readonly wrong: string[];
	/** To be called at the moment from which the service could go on; resolves with how long it took. */
	readonly recovery: () => Promise<number>;
}

export async function strikeUnderLoad(
	{ rounds, onRound }: Setting,
	options: {
		readonly writers: number;
		readonly pauseMs?: number;
		/** Where the service listens; those that are down may be among them. */
		readonly urls: () => readonly string[];
		/** Breaks something and mends it; returns the recovery. */
		readonly strike: (load: Load) => Promise<number>;
		/** What is to happen before the last walk. */
		readonly settle?: () => Promise<void>;
	},
): Promise<Tally> {
	const { urls, strike, settle } = options;
	const recovery = async () => {
		const since = performance.now();
		await writers.progress();
		return performance.now() - since;
	};
	const writers = startWriters(options.writers, apiKey, urls, options.pauseMs);
	const reader = startReader(apiKey, urls, writers);
	const load: Load = { writers, reader, wrong: [], recovery };
	const recoveriesMs: number[] = [];
	try {
		for (let round = 1; round <= rounds && !hasGoneWrong(load); round++) {
			await writers.progress();
			await Bun.sleep(50 + Math.random() * 200);
			recoveriesMs.push(await strike(load));
			onRound(round);
		}
		await writers.stop();
	} finally {
		writers.abandon();
		await reader.stop();
	}
	await settle?.();
	const found = await count(urls()[0] ?? "", writers);
	const late =
		writers.slowestMs() > promisedMs
			? [`an answer took ${writers.slowestMs().toFixed(0)} ms`]
			: [];
	const wrong = [
		...writers.wrong,
		...reader.wrong,
		...load.wrong,
		...late,
		...found.wrong,
	];
	const acknowledged = writers.acknowledged.size;
	const done = recoveriesMs.length;
	return { rounds: done, acknowledged, ...found, wrong, recoveriesMs };
}

/** Then further rounds tell nothing new. */
function hasGoneWrong({ writers, reader, wrong }: Load): boolean {
	return writers.wrong.length + reader.wrong.length + wrong.length > 0;
}

/** Nobody waits longer for an answer, whatever it is. */
const promisedMs = 3_000;

async function count(
	url: string,
	{ acknowledged }: Writers,
): Promise<Pick<Tally, "lost" | "doubled" | "wrong">> {
	const listed = await walk(url, apiKey);
	const ids = new Map(listed);
	const expected = [...acknowledged];
	const changed = expected.filter(
		([name, id]) => ids.has(name) && ids.get(name) !== id,
	);
	const unknown = [...ids.keys()].filter((name) => !acknowledged.has(name));
	const doubled = listed.length - ids.size;
	return {
		lost: expected.filter(([name]) => !ids.has(name)).length,
		doubled,
		wrong: [
			// Where there are two, one of them has another id.
			...(doubled > 0 ? [] : changed.map(([name]) => `${name} has another id`)),
			...unknown.map((name) => `${name} was never acknowledged`),
			...(await repeatSome(url, expected)),
		],
	};
}

/** A repeated add gets the animal that is there already, also long after. */
async function repeatSome(
	url: string,
	acknowledged: readonly (readonly [string, string])[],
): Promise<string[]> {
	const wrong: string[] = [];
	for (let time = 0; time < repeats; time++) {
		const place = Math.floor(Math.random() * acknowledged.length);
		const [name, id] = acknowledged[place] ?? ["", ""];
		const text = await (await add(url, apiKey, name)).text();
		if (!text.includes(`"id":${id},`))
			wrong.push(`${name} with id ${id} was answered ${text} when repeated`);
	}
	return wrong;
}

const repeats = 50;
