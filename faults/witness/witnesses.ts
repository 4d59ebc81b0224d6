// Clients of copies of the service. Some write; the others read, in every way there is and through other copies, what those are just
// writing. Each fact that a reply tells must stay true.
import { waitFor } from "../../test/harness/process.ts";
import { walk } from "../../test/harness/walk.ts";
import { loop } from "../loop.ts";
import { type Body, readTruth, toBody, toFacts } from "./facts.ts";

export type Witnesses = ReturnType<typeof startWitnesses>;

/** What replies to writers and to readers said. */
export interface Learned {
	readonly acknowledged: ReadonlySet<string>;
	readonly seen: ReadonlySet<string>;
}

interface Request {
	readonly method?: string;
	/** A text is a file. */
	readonly body?: object | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The statuses of right replies, besides a 503. */
	readonly right?: readonly number[];
}

interface Told {
	readonly status: number;
	readonly headers: Headers;
	readonly body: Body;
}

interface Options {
	readonly key: string;
	/** Of the copies. */
	readonly urls: readonly (() => string)[];
	/** Clients that only add. */
	readonly adders: number;
	readonly maxAnswerMs: number;
	/** Requests may get no answer. */
	readonly killsService: boolean;
	/** Positions of the feed may be those of an earlier epoch. */
	readonly beginsEpochs: boolean;
}

export function startWitnesses({
	key,
	urls,
	adders,
	maxAnswerMs,
	killsService,
	beginsEpochs,
}: Options) {
	const wrong = new Set<string>();
	/** What was wrong unless the database has lost commits. */
	let doubts = new Set<string>();
	let acknowledged = new Set<string>();
	let seen = new Set<string>();
	/** What is the same in all replies: the animal of a position, the content of an ETag. */
	const unique = new Map<string, string>();
	/** Names of adds that were refused for certain. */
	const refused = new Set<string>();
	/** Animals of batches and imports, by their name. */
	const sizes = new Map<string, number>();
	/** When each way of reading was last used at each copy. */
	const readAt = new Map<string, number>();
	let [answered, forgotten, refusals, restarts] = [0, 0, 0, 0];
	let acknowledgedAt = 0;
	/** Rises when the database has lost commits. */
	let era = 0;
	let [number, running] = [0, true];
	let [tag, listed]: [string, readonly string[]] = ["", []];
	let now = nothing();

	function requireSame(what: string, value: string): void {
		const before = unique.get(what) ?? value;
		if (before !== value) wrong.add(`${what}: ${value}, and before ${before}`);
		unique.set(what, value);
	}

	/** A client whose requests go to one copy after the other. Learns what replies tell, unless the database has lost commits since. */
	function toClient(name: string, isReader: boolean) {
		let turn = Math.floor(Math.random() * urls.length);
		let begunIn = era;
		function learn(...facts: readonly string[]): boolean {
			if (era !== begunIn) return false;
			for (const fact of facts) (isReader ? seen : acknowledged).add(fact);
			return true;
		}
		async function ask(
			path: string,
			{ method = "GET", body, headers, right = [200] }: Request = {},
		): Promise<Told | undefined> {
			const copy = turn++ % urls.length;
			const isFile = typeof body === "string";
			const type = `application/${isFile ? "x-nd" : ""}json`;
			const sentAt = performance.now();
			const reply = await fetch(`${urls[copy]?.()}${path}`, {
				method,
				headers: {
					Authorization: `Bearer ${key}`,
					...(body && { "Content-Type": type }),
					...headers,
				},
				...(body && { body: isFile ? body : JSON.stringify(body) }),
			});
			const text = await reply.text();
			const ms = performance.now() - sentAt;
			const { status } = reply;
			if (ms > maxAnswerMs && !isFile && !path.endsWith("/undo"))
				wrong.add(`${method} ${path} took ${ms.toFixed(0)} ms`);
			if (status !== 503 && !right.includes(status))
				wrong.add(`${method} ${path} was answered ${status} ${text}`);
			const etag = reply.headers.get("ETag");
			if (status === 200 && method === "GET" && etag !== null)
				requireSame(`${path.split("?", 1)} ${etag}`, `${Bun.hash(text)}`);
			const told = status < 300 && text !== "" ? toBody(text) : {};
			if (!learn(...toFacts(told))) return undefined;
			if (isReader && status !== 503) readAt.set(`${name} ${copy}`, sentAt);
			if (!isReader && status === 503) refusals++;
			if (!isReader && status < 300) {
				acknowledgedAt = Math.max(acknowledgedAt, sentAt);
				answered++;
			}
			return { status, headers: reply.headers, body: told };
		}
		const begin = () => {
			begunIn = era;
		};
		return { ask, learn, begin };
	}

	type Client = ReturnType<typeof toClient>;
	type Turn = (client: Client) => Promise<unknown>;
	type Turns = Readonly<Record<string, Turn>>;

	const toName = (kind: string) => `${kind}-${++number}.`;
	const add = (name: string) => ({
		method: "POST",
		body: { name, categoryId: 1 + (number >> 9) },
		right: [201],
	});
	const withKey = (name: string) => ({
		...add(name),
		body: { name, categoryId: 1 },
		headers: { "Idempotency-Key": name },
	});

	const found = [200, 404];
	const writers = {
		async add({ ask }) {
			const name = toName("once");
			now.name = name;
			const told = await ask("/v1/pets", add(name));
			if (now.name === name) now.name = "";
			const id = told?.body.id;
			if (id !== undefined) {
				now.pool.push(id);
				now.highest = Math.max(now.highest, id);
			}
			if (told?.headers.has("Retry-After")) refused.add(name);
		},
		async keyed({ ask }) {
			const name = toName("keyed");
			for (let told: Told | undefined; running; await Bun.sleep(retryMs)) {
				now.keyed = name;
				told = await ask("/v1/pets", withKey(name));
				if (told === undefined) return;
				if (told.body.id !== undefined) {
					now.kept.push(told.body.id);
					now.names.push(name);
					return;
				}
				if (!told.headers.has("Retry-After"))
					wrong.add(`${name} was answered ${told.status} without Retry-After`);
			}
		},
		async change({ ask, learn }) {
			const id = pick(now.pool.slice(-recent));
			if (id === undefined) return;
			now.changing = id;
			const path = `/operator/v1/pets/${id}`;
			const body = { name: toName("changed") };
			const request = { method: "PATCH", body, right: found };
			const told = await ask(path, request);
			if (told?.status !== 200) return;
			learn(`entry ${told.headers.get("Edit-Id")} ${id} changed`);
			const { body: read } = (await ask(path, { right: found })) ?? {};
			if (
				read?.version !== undefined &&
				read.version < (told.body.version ?? 0)
			)
				doubts.add(`${id} was read as before its change`);
		},
		async "change some"({ ask, learn }) {
			const name = toName("many");
			// SQLite makes a larger batch on a thread.
			const count = number % 2 === 0 ? 4 : 24;
			const petIds = new Set(now.pool.slice(-count));
			if (petIds.size < count) return;
			sizes.set(name, count);
			const changes = [...petIds].map((petId) => ({ petId, set: { name } }));
			const told = await ask("/operator/v1/pets/batch", {
				method: "POST",
				body: { changes },
				right: [200, 404],
			});
			if (told?.status === 200) learn(`many ${name}`);
		},
		async remove({ ask, learn }) {
			if (now.pool.length < 2 * recent) return;
			const id = now.pool.shift() ?? 0;
			now.removing = id;
			const request = { method: "DELETE", right: [204, 404] };
			const told = await ask(`/operator/v1/pets/${id}`, request);
			if (told?.status === 204) learn(`no ${id}`);
		},
		async "import, and undo it"({ ask, learn }) {
			await Bun.sleep(longPauseMs);
			const name = toName("many");
			sizes.set(name, imported);
			const line = `${JSON.stringify({ name, categoryId: 2 })}\n`;
			const body = line.repeat(imported);
			const request = { method: "POST", body };
			const told = await ask("/operator/v1/pets/import", request);
			const edit = told?.headers.get("Edit-Id");
			if (told?.status !== 200 || typeof edit !== "string") return;
			learn(`many ${name}`);
			now.edit = Number(edit);
			const right = beginsEpochs ? [200, 409] : [200];
			await ask(`/operator/v1/edits/${edit}/undo`, { method: "POST", right });
		},
		async "name a category"({ ask }) {
			now.category = toName("category");
			await toCategory(ask, now.category);
		},
	} satisfies Turns;

	/** The newest category comes first. */
	const toCategory = (ask: Client["ask"], name: string) =>
		ask(`/operator/v1/categories/${1e9 - ++number}`, {
			method: "PUT",
			body: { name },
			right: [200, 409],
		});

	/** Follows the feed, and rebuilds the catalogue from it. */
	function follow() {
		/** Names by id. */
		const animals = new Map<number, string>();
		let position = 0;
		async function read({ ask }: Client): Promise<void> {
			const limit = 1 + Math.floor(Math.random() * 200);
			const told = await ask(
				`/operator/v1/changes?after=${position}&limit=${limit}`,
				{ right: beginsEpochs ? [200, 410] : [200] },
			);
			if (told?.status === 410) {
				restarts++;
				position = 0;
				animals.clear();
			}
			if (told?.status !== 200) return;
			for (const change of told.body.changes ?? []) {
				const { petId = 0, kind, pet } = change;
				const { position: at = 0 } = change;
				if (at <= position) wrong.add(`${at} came after ${position}`);
				position = at;
				const content = `${petId} ${kind} ${pet?.name}`;
				// What another reader gets later is what the animal is then.
				if (animals === followers[0].animals)
					requireSame(`position ${at}`, content);
				if (pet?.name === undefined) animals.delete(petId);
				else animals.set(petId, pet.name);
			}
			const { next = 0 } = told.body;
			if (next < position) wrong.add(`next went back to ${next}`);
			position = next;
		}
		return { animals, read, position: () => position };
	}
	const followers = [follow(), follow(), follow(), follow()] as const;

	const readers = {
		async list({ ask }) {
			const before = now.kept.slice(-recent);
			const told = await ask("/v1/pets?limit=30");
			const pets = told?.body.pets;
			if (typeof pets !== "object") return;
			const ids = pets.map(({ id = 0 }) => id);
			now.highest = Math.max(now.highest, ...ids);
			const missing = before.filter(
				(id) => id >= (ids.at(-1) ?? 0) && !ids.includes(id),
			);
			if (missing.length > 0) doubts.add(`a list did not have ${missing}`);
			if (ids.some((id, place) => id >= (ids[place - 1] ?? id + 1)))
				wrong.add(`a list was out of order: ${ids}`);
		},
		"another list": ({ ask }) =>
			ask(`/v1/pets?status=available&limit=${1 + (number % 50)}`),
		async "list again"({ ask, learn }) {
			const headers = { "If-None-Match": tag };
			const request = { headers, right: [200, 304] };
			const told = await ask("/v1/pets?limit=20", request);
			if (told?.status === 304) learn(...listed);
			if (told?.status !== 200) return;
			[tag, listed] = [told.headers.get("ETag") ?? "", toFacts(told.body)];
		},
		get: ({ ask }) => ask(`/v1/pets/${now.highest + 1}`, { right: found }),
		"get one that changes": ({ ask }) =>
			ask(`/operator/v1/pets/${now.changing}`, { right: found }),
		async "get one that is removed"({ ask, learn }) {
			const id = now.removing;
			if (id === 0) return;
			const told = await ask(`/v1/pets/${id}`, { right: found });
			// It may also be missing because the catalogue was replaced.
			if (told?.status === 404 && !beginsEpochs) learn(`no ${id}`);
		},
		filter: ({ ask }) =>
			ask(`/operator/v1/pets?categoryId=${1 + (number >> 9)}`),
		search: ({ ask }) =>
			ask(`/operator/v1/pets?limit=20&name=${now.name || "once"}`),
		async count({ ask, learn }) {
			const name = now.name || "once-1.";
			const told = await ask(`/operator/v1/pets/count?name=${name}`);
			if (Number(told?.body.pets) > 0) learn(`named ${name}`);
		},
		history: ({ ask }) => ask("/operator/v1/history?limit=20"),
		"history of one": ({ ask }) =>
			ask(`/operator/v1/pets/${now.changing}/history`, { right: found }),
		edits: ({ ask }) => ask("/operator/v1/edits?limit=20"),
		"one edit": ({ ask }) =>
			ask(`/operator/v1/edits/${now.edit}`, { right: found }),
		feed: followers[0].read,
		export: ({ ask }) =>
			ask(`/operator/v1/pets/export?categoryId=${1 + (number >> 9)}`),
		categories: ({ ask }) => ask("/operator/v1/categories?limit=20"),
		async "name that is taken"({ ask, learn }) {
			const { category } = now;
			if (category === "") return;
			const told = await toCategory(ask, category);
			if (told?.status === 409) learn(`named ${category}`);
		},
		async "repeated add"({ ask }) {
			const old = pick(now.names) ?? "";
			const name = number % 2 === 0 ? now.keyed : old;
			if (name !== "") await ask("/v1/pets", withKey(name));
		},
	} satisfies Turns;

	function start(name: string, turn: Turn, pauseMs: number) {
		const client = toClient(name, !(name in writers));
		return loop(async () => {
			client.begin();
			await turn(client).catch((error) => {
				// A file that has begun may be cut.
				if (!killsService && name !== "export") wrong.add(`${name}: ${error}`);
			});
			await Bun.sleep(pauseMs);
		});
	}
	const { add: once, keyed } = writers;
	const stopWriting = [
		...Object.entries(writers).map(([name, turn]) =>
			start(name, turn, pauseMs),
		),
		// So that each copy always has something to write, and what is new is seen at once.
		...Array.from({ length: adders }, (_, place) =>
			place % 2 === 0 ? start("add", once, 0) : start("keyed", keyed, 0),
		),
	];
	const { list, get } = readers;
	const stopReading = [
		...Object.entries(readers).map(([name, turn]) =>
			start(name, turn, longPauseMs),
		),
		...[list, get, get, get].map((turn) => start("any", turn, 0)),
		...followers.slice(1).map(({ read }) => start("any", read, pauseMs)),
	];

	/** Compares the catalogue with what readers of the feed have made of it. */
	async function compareFollowers(): Promise<void> {
		const listed = await walk(urls[0]?.() ?? "", key);
		const expected = new Map(listed.map(([name, id]) => [Number(id), name]));
		const isDone = () =>
			followers.every(({ animals }) => Bun.deepEquals(animals, expected));
		const different = "the catalogue differs for readers of the feed";
		// One of them reads slowly, and may have to start again.
		await waitFor(isDone, different, 60_000).catch(() => wrong.add(different));
	}

	async function stop(): Promise<void> {
		running = false;
		await Promise.all([...stopWriting, ...stopReading].map((end) => end()));
	}

	return {
		wrong: () => [...wrong, ...doubts],
		counts: () => ({
			acknowledged: answered,
			facts: forgotten + seen.size,
		}),
		/** Of a reader of the feed. */
		position: () => followers[0].position(),
		/** How often readers of the feed had to start again. */
		restarts: () => restarts,
		/** Resolves when each reader was answered by each copy, and a write was acknowledged, after requests of now on. */
		async progress(): Promise<void> {
			const asked = performance.now();
			const ways = Object.keys(readers).flatMap((name) =>
				urls.map((_, copy) => `${name} ${copy}`),
			);
			const isMissing = (way: string) => (readAt.get(way) ?? 0) < asked;
			await waitFor(
				() => acknowledgedAt >= asked && !ways.some(isMissing),
				() => `no answer: ${ways.filter(isMissing)}`,
				30_000,
			);
		},
		async recovery(): Promise<void> {
			const asked = performance.now();
			await waitFor(() => acknowledgedAt >= asked, "nothing is acknowledged");
		},
		async refusal(): Promise<void> {
			const before = refusals;
			await waitFor(() => refusals > before, "nothing is refused", 15_000);
		},
		/** What was learned until now. */
		learned: (): Learned => ({
			acknowledged: new Set(acknowledged),
			seen: new Set(seen),
		}),
		/** Each fact must be true in one of the databases. */
		async verify(
			urls: readonly string[],
			learned: Learned = { acknowledged, seen },
		) {
			const [told, shown] = [[...learned.acknowledged], [...learned.seen]];
			const names = [...refused];
			const truths = await Promise.all(urls.map(readTruth));
			const counts = truths.map(countNames);
			const isTrue = (fact: string) => {
				const name = /^many (.*)/.exec(fact)?.[1];
				return name === undefined
					? truths.some((truth) => truth.has(fact))
					: counts.some((found) => found.get(name) === sizes.get(name));
			};
			const kinds = /^(once|keyed)/;
			return {
				lost: told.filter((fact) => !isTrue(fact)),
				gone: shown.filter((fact) => !isTrue(fact)),
				doubled: counts.flatMap((found) =>
					[...found].filter(([name, count]) => kinds.test(name) && count > 1),
				),
				wrong: counts.flatMap((found) => [
					...names
						.filter((name) => found.has(name))
						.map((name) => `${name} was refused, and added`),
					...[...sizes]
						.filter(([name, size]) => (found.get(name) ?? size) !== size)
						.map(([name]) => `a part of ${name} was done`),
				]),
			};
		},
		/** After a loss of commits nothing that was learned before needs to be true. */
		forget(): void {
			era++;
			forgotten += seen.size;
			[acknowledged, seen, now] = [new Set(), new Set(), nothing()];
			doubts = new Set();
		},
		/** Stops the writers, and compares what the readers of the feed have then. */
		async finish(): Promise<void> {
			running = false;
			await Promise.all(stopWriting.map((end) => end()));
			await compareFollowers();
			await stop();
		},
		stop,
	};
}

/** What is just being written, for those who read. */
const nothing = () => ({
	name: "",
	keyed: "",
	category: "",
	changing: 1,
	removing: 0,
	edit: 1,
	highest: 0,
	/** Animals that may be changed and removed. */
	pool: [] as number[],
	/** Acknowledged animals that stay, and their keys. */
	kept: [] as number[],
	names: [] as string[],
});

const recent = 20;
const imported = 20;
const [pauseMs, retryMs, longPauseMs] = [5, 20, 50];

function pick<Value>(values: readonly Value[]): Value | undefined {
	return values[Math.floor(Math.random() * values.length)];
}

/** How many animals have, or had, each name. */
function countNames(truth: ReadonlySet<string>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const fact of truth) {
		const name = /^pet \d+ (.*)/.exec(fact)?.[1];
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return counts;
}
