// Clients that add animals without a pause and never give up: each repeats its request until it is acknowledged.

export interface Writers {
	/** Names and the ids they were acknowledged with, in the order of their acknowledgement. */
	readonly acknowledged: ReadonlyMap<string, string>;
	/** The last of them. */
	readonly lately: (count: number) => readonly (readonly [string, string])[];
	/** How often each status was seen. */
	readonly statuses: ReadonlyMap<number, number>;
	/** Replies that an add may never have: neither a 201 with the animal nor a 503. */
	readonly wrong: readonly string[];
	/** Adds whose connection ended, or could not be made, without a reply. */
	readonly unanswered: () => number;
	/** The longest that any of them took, with a reply or without. */
	readonly slowestMs: () => number;
	/** Resolves when one more add has been acknowledged, of those that are sent from now on. */
	readonly progress: () => Promise<void>;
	/** Resolves when each writer has its last add acknowledged. */
	readonly stop: () => Promise<void>;
	/** Lets them go without their acknowledgements. */
	readonly abandon: () => void;
}

/** `urls` are asked in turn; they may change, since a service that is started again has another address. */
export function startWriters(
	count: number,
	apiKey: string,
	urls: () => readonly string[],
	pauseMs = 0,
): Writers {
	const acknowledged = new Map<string, string>();
	const order: [string, string][] = [];
	const statuses = new Map<number, number>();
	const wrong: string[] = [];
	let unanswered = 0;
	let slowest = 0;
	let running = true;
	let abandoned = false;
	let lastSentAt = 0;

	/** Whether it was acknowledged. */
	const attempt = async (name: string, url: string): Promise<boolean> => {
		const sentAt = performance.now();
		const reply = await send(url, apiKey, name);
		slowest = Math.max(slowest, performance.now() - sentAt);
		if (reply === undefined) {
			unanswered++;
			return false;
		}
		const { status, text } = reply;
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
		const [, id] = /^\{"id":(\d+),/.exec(text) ?? [];
		const isPet = id !== undefined && text.includes(`"name":"${name}"`);
		if (status === 201 && isPet) {
			acknowledged.set(name, id);
			order.push([name, id]);
			lastSentAt = Math.max(lastSentAt, sentAt);
			return true;
		}
		if (status !== 503) wrong.push(`${name} was answered ${status} ${text}`);
		return status === 201;
	};

	const writers = Array.from({ length: count }, async (_, writer) => {
		for (let number = 0; running; number++) {
			for (let time = writer; !abandoned; time++) {
				const addresses = urls();
				const url = addresses[time % addresses.length] ?? "";
				if (await attempt(`${writer}-${number}`, url)) break;
				await Bun.sleep(20);
			}
			if (pauseMs > 0) await Bun.sleep(pauseMs);
		}
	});

	return {
		acknowledged,
		lately: (count) => order.slice(-count),
		statuses,
		wrong,
		unanswered: () => unanswered,
		slowestMs: () => slowest,
		async progress() {
			const asked = performance.now();
			while (lastSentAt < asked && !abandoned) {
				if (performance.now() - asked > patienceMs)
					throw new Error("no add was acknowledged any more");
				await Bun.sleep(2);
			}
		},
		async stop() {
			running = false;
			await Promise.all(writers);
		},
		abandon() {
			running = false;
			abandoned = true;
		},
	};
}

const patienceMs = 5_000;

/** What came back; nothing if the connection was refused or ended before all of it. */
async function send(url: string, apiKey: string, name: string) {
	try {
		const response = await add(url, apiKey, name);
		return { status: response.status, text: await response.text() };
	} catch {
		return undefined;
	}
}

/** Adds an animal under its own name as Idempotency-Key. */
export function add(
	url: string,
	apiKey: string,
	name: string,
): Promise<Response> {
	return fetch(`${url}/v1/pets`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${apiKey}`,
			"Content-Type": "application/json",
			"Idempotency-Key": name,
		},
		body: JSON.stringify({ name, categoryId: 1 }),
	});
}

/** Names and ids of all animals, from a walk; or of its first pages. */
export async function walk(
	url: string,
	apiKey: string,
	maxPages = Number.POSITIVE_INFINITY,
): Promise<[name: string, id: string][]> {
	const listed: [string, string][] = [];
	let path: string | undefined = "/v1/pets?limit=100";
	for (let pages = 0; path !== undefined && pages < maxPages; pages++) {
		const page: Response = await fetch(url + path, {
			headers: { Authorization: `Bearer ${apiKey}` },
		});
		for (const { id, name } of toAnimals(page.status, await page.text()))
			listed.push([name, String(id)]);
		path = /<(.*)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
	}
	return listed;
}

function toAnimals(
	status: number,
	text: string,
): { id: number; name: string }[] {
	if (status !== 200) throw new PageError(status, text);
	const value = parsed(text);
	if (Array.isArray(value)) return value;
	throw new PageError(status, text);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A page that was refused, or that is no list. */
export class PageError extends Error {
	readonly status: number;

	constructor(status: number, text: string) {
		super(`a page was answered ${status} ${text}`);
		this.status = status;
	}
}
