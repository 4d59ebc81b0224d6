// A client that lists without a pause: whatever was acknowledged before a walk began must be on its pages.
import { PageError, type Writers, walk } from "../harness/writers.ts";

export interface Reader {
	readonly wrong: readonly string[];
	/** How many walks were answered to their end. */
	readonly walks: () => number;
	/** Resolves when a walk that began after this call was answered. */
	readonly progress: () => Promise<void>;
	readonly stop: () => Promise<void>;
}

export function startReader(
	apiKey: string,
	urls: () => readonly string[],
	writers: Writers,
): Reader {
	const wrong: string[] = [];
	let walks = 0;
	let lastBegunAt = 0;
	let running = true;

	const readOnce = async (url: string) => {
		const before = writers.lately(recentAdds);
		const begunAt = performance.now();
		const listed = await walkSome(url, apiKey, wrong);
		if (listed === undefined) return;
		wrong.push(...toMistakes(listed, before));
		walks++;
		lastBegunAt = begunAt;
	};

	const reading = (async () => {
		for (let time = 0; running; time++) {
			const addresses = urls();
			const url = addresses[time % addresses.length];
			if (url !== undefined) await readOnce(url);
			await Bun.sleep(pauseMs);
		}
	})();

	return {
		wrong,
		walks: () => walks,
		async progress() {
			const asked = performance.now();
			while (lastBegunAt < asked) {
				if (performance.now() - asked > patienceMs)
					throw new Error("no list was answered any more");
				await Bun.sleep(2);
			}
		},
		async stop() {
			running = false;
			await reading;
		},
	};
}

/** The newest pages: a whole walk would take longer with every round. */
const pagesAWalk = 5;
const recentAdds = 2_000;
const pauseMs = 20;
const patienceMs = 10_000;

/** Nothing if the service was killed meanwhile or has no answer now, which is not wrong. */
async function walkSome(url: string, apiKey: string, wrong: string[]) {
	try {
		return await walk(url, apiKey, pagesAWalk);
	} catch (error) {
		if (error instanceof PageError && error.status !== 503)
			wrong.push(error.message);
		return undefined;
	}
}

function toMistakes(
	listed: readonly (readonly [string, string])[],
	before: readonly (readonly [string, string])[],
): string[] {
	const ids = new Map(listed);
	const lowest = BigInt(listed.at(-1)?.[1] ?? 0);
	const missing = before
		.filter(([name, id]) => BigInt(id) >= lowest && ids.get(name) !== id)
		.map(([name, id]) => `a walk did not have ${name} as ${id}`);
	const unsorted = listed
		.filter(([, id], place) => {
			const [, previous] = listed[place - 1] ?? [];
			return previous !== undefined && BigInt(id) >= BigInt(previous);
		})
		.map(([name, id]) => `a walk had ${name} as ${id} out of order`);
	return [...missing, ...unsorted];
}
