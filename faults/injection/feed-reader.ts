// Clients that follow the feed of changes, and continue after a service was killed. Each rebuilds the catalogue from the feed.
import { walk } from "../../test/harness/walk.ts";

interface FeedReaders {
	/** Positions out of order, and wrong replies. */
	readonly wrong: readonly string[];
	/** The number of changes so far. */
	readonly changes: () => number;
	/** Waits until the readers have the catalogue, and returns how many animals differ. No client may write any more. */
	readonly compare: () => Promise<number>;
	readonly stop: () => Promise<void>;
}

export function startFeedReaders(
	count: number,
	key: string,
	urls: () => readonly string[],
): FeedReaders {
	const wrong: string[] = [];
	let running = true;
	const readers = Array.from({ length: count }, () => createReader(key, wrong));
	const loops = readers.map(async (reader) => {
		while (running) {
			const url = pick(urls());
			// A killed service closes or refuses the connection.
			await reader.readPage(url).catch(() => Bun.sleep(20));
		}
	});
	return {
		wrong,
		changes: () => readers.reduce((sum, one) => sum + one.changes(), 0),
		async compare() {
			const expected = new Map(
				(await walk(pick(urls()), key)).map(([name, id]) => [id, name]),
			);
			const deadline = performance.now() + catchUpMs;
			const differences = () =>
				readers.reduce(
					(sum, { animals }) => sum + countDifferent(expected, animals),
					0,
				);
			while (differences() > 0 && performance.now() < deadline)
				await Bun.sleep(50);
			return differences();
		},
		async stop() {
			running = false;
			await Promise.all(loops);
		},
	};
}

const catchUpMs = 10_000;

type Animals = ReadonlyMap<string, string>;

function countDifferent(expected: Animals, found: Animals): number {
	const ids = new Set([...expected.keys(), ...found.keys()]);
	return [...ids].filter((id) => expected.get(id) !== found.get(id)).length;
}

function createReader(key: string, wrong: string[]) {
	/** Names by id. */
	const animals = new Map<string, string>();
	let position = 0;
	let changes = 0;

	function apply(change: FeedChange): void {
		if (change.position <= position)
			wrong.push(`${change.position} came after ${position}`);
		position = change.position;
		changes++;
		const id = String(change.petId);
		if (change.pet === undefined) animals.delete(id);
		else animals.set(id, change.pet.name);
	}

	async function readPage(url: string): Promise<void> {
		const limit = 1 + Math.floor(Math.random() * 200);
		const response = await fetch(
			`${url}/operator/v1/changes?after=${position}&limit=${limit}`,
			{ headers: { Authorization: `Bearer ${key}` } },
		);
		const { ok, status } = response;
		const text = await response.text();
		if (!ok && status !== unavailableStatus)
			wrong.push(`the feed was answered ${status}: ${text}`);
		if (!ok) throw new Error("no page");
		const page: FeedPage = JSON.parse(text);
		for (const change of page.changes) apply(change);
		if (page.next < position) wrong.push(`next went back to ${page.next}`);
		position = page.next;
		if (!page.more) await Bun.sleep(20);
	}

	return { animals, changes: () => changes, readPage };
}

const unavailableStatus = 503;

interface FeedChange {
	readonly position: number;
	readonly petId: number;
	readonly pet?: { readonly name: string };
}

interface FeedPage {
	readonly changes: readonly FeedChange[];
	readonly next: number;
	readonly more: boolean;
}

function pick(urls: readonly string[]): string {
	return urls[Math.floor(Math.random() * urls.length)] ?? "";
}
