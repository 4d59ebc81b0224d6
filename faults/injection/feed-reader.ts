// Clients that follow the feed of changes, and continue after a service was killed. Each rebuilds the catalogue from the feed.
import { walk } from "../../test/harness/walk.ts";
import { loop } from "../loop.ts";

interface FeedReaders {
	/** Positions out of order, and wrong replies. */
	readonly wrong: readonly string[];
	/** Waits until the readers have the catalogue, and returns how many animals differ. No client may write any more. */
	readonly compare: () => Promise<number>;
	readonly stop: () => Promise<void>;
}

export function startFeedReaders(
	count: number,
	key: string,
	url: () => string,
): FeedReaders {
	const wrong: string[] = [];
	const readers = Array.from({ length: count }, () => createReader(key, wrong));
	const stops = readers.map(({ readPage }) =>
		// A killed service closes or refuses the connection.
		loop(() => readPage(url()).catch(() => Bun.sleep(20))),
	);
	return {
		wrong,
		async compare() {
			const expected = new Map(
				(await walk(url(), key)).map(([name, id]) => [id, name]),
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
			await Promise.all(stops.map((stop) => stop()));
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

	function apply(change: FeedChange): void {
		if (change.position <= position)
			wrong.push(`${change.position} came after ${position}`);
		position = change.position;
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

	return { animals, readPage };
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
