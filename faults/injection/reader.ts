// A client that walks over the newest pages repeatedly. They must have every animal that was acknowledged before the walk.
import { waitFor } from "../../test/harness/process.ts";
import { PageError, walk } from "../../test/harness/walk.ts";
import type { Writers } from "../../test/harness/writers.ts";
import { loop } from "../loop.ts";

export interface Reader {
	readonly wrong: readonly string[];
	/** Resolves when a walk that begins after this call is complete. */
	readonly progress: () => Promise<void>;
	readonly stop: () => Promise<void>;
}

export function startReader(
	apiKey: string,
	url: () => string,
	writers: Writers,
): Reader {
	const wrong: string[] = [];
	let lastBegunAt = 0;

	const readOnce = async () => {
		const before = writers.latest(recentAdds);
		const begunAt = performance.now();
		const listed = await walkNewest(url(), apiKey, wrong);
		if (listed === undefined) return;
		wrong.push(...findWrong(listed, before));
		lastBegunAt = begunAt;
	};

	return {
		wrong,
		async progress() {
			const asked = performance.now();
			await waitFor(() => lastBegunAt >= asked, "no further list was answered");
		},
		stop: loop(async () => {
			await readOnce();
			await Bun.sleep(pauseMs);
		}),
	};
}

/** Only the newest pages, because a walk over all of them would take longer with every round. */
const pagesPerWalk = 5;
const recentAdds = 2_000;
const pauseMs = 20;

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
