// A client that walks over the newest pages repeatedly. They must have every animal that was acknowledged before the walk.
import { PageError, walk } from "../../test/harness/walk.ts";
import type { Writers } from "../../test/harness/writers.ts";

export interface Reader {
	readonly wrong: readonly string[];
	/** The number of complete walks. */
	readonly walks: () => number;
	/** Resolves when a walk that begins after this call is complete. */
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
		const before = writers.latest(recentAdds);
		const begunAt = performance.now();
		const listed = await walkNewest(url, apiKey, wrong);
		if (listed === undefined) return;
		wrong.push(...findWrong(listed, before));
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
				if (performance.now() - asked > progressTimeoutMs)
					throw new Error("no further list was answered");
				await Bun.sleep(2);
			}
		},
		async stop() {
			running = false;
			await reading;
		},
	};
}

/** Only the newest pages, because a walk over all of them would take longer with every round. */
const pagesPerWalk = 5;
const recentAdds = 2_000;
const pauseMs = 20;
const progressTimeoutMs = 10_000;

/** Undefined if the connection failed or the reply was a 503, which are both right during the fault. */
async function walkNewest(url: string, apiKey: string, wrong: string[]) {
	try {
		return await walk(url, apiKey, pagesPerWalk);
	} catch (error) {
		if (error instanceof PageError && error.status !== 503)
			wrong.push(error.message);
		return undefined;
	}
}

function findWrong(
	listed: readonly (readonly [string, string])[],
	before: readonly (readonly [string, string])[],
): string[] {
	const ids = new Map(listed);
	const lowest = BigInt(listed.at(-1)?.[1] ?? 0);
	const missing = before
		.filter(([name, id]) => BigInt(id) >= lowest && ids.get(name) !== id)
		.map(([name, id]) => `a list did not have ${name} with id ${id}`);
	const unsorted = listed
		.filter(([, id], place) => {
			const [, previous] = listed[place - 1] ?? [];
			return previous !== undefined && BigInt(id) >= BigInt(previous);
		})
		.map(([name, id]) => `a list had ${name} with id ${id} out of order`);
	return [...missing, ...unsorted];
}
