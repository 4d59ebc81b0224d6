// Clients that add animals without a pause and never give up: each repeats its request until it is acknowledged.

export interface Writers {
	/** Names and the ids they were acknowledged with. */
	readonly acknowledged: ReadonlyMap<string, string>;
	/** Every status that was seen. */
	readonly statuses: ReadonlySet<number>;
	/** The longest that any reply took. */
	readonly slowestMs: () => number;
	/** Resolves when one more add has been acknowledged. */
	readonly progress: () => Promise<void>;
	/** Resolves when each writer has its last add acknowledged. */
	readonly stop: () => Promise<void>;
}

/** `urls` are asked in turn; they may change, since a service that is started again has another address. */
export function startWriters(
	count: number,
	apiKey: string,
	urls: () => readonly string[],
): Writers {
	const acknowledged = new Map<string, string>();
	const statuses = new Set<number>();
	let slowest = 0;
	let running = true;

	const addUntilAcknowledged = async (name: string, writer: number) => {
		for (let attempt = writer; ; attempt++) {
			const addresses = urls();
			const url = addresses[attempt % addresses.length] ?? "";
			const begun = performance.now();
			const response = await add(url, apiKey, name).catch(() => undefined);
			if (response === undefined) {
				// Its process was killed; there will be another.
				await Bun.sleep(20);
				continue;
			}
			slowest = Math.max(slowest, performance.now() - begun);
			statuses.add(response.status);
			const text = await response.text();
			if (response.status === 201) {
				acknowledged.set(name, /"id":(\d+)/.exec(text)?.[1] ?? "none");
				return;
			}
			await Bun.sleep(20);
		}
	};

	const writers = Array.from({ length: count }, async (_, writer) => {
		for (let number = 0; running; number++)
			await addUntilAcknowledged(`${writer}-${number}`, writer);
	});

	return {
		acknowledged,
		statuses,
		slowestMs: () => slowest,
		async progress() {
			const before = acknowledged.size;
			while (acknowledged.size === before) await Bun.sleep(2);
		},
		async stop() {
			running = false;
			await Promise.all(writers);
		},
	};
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

/** Names and ids of all animals, from a walk. */
export async function walk(
	url: string,
	apiKey: string,
): Promise<[name: string, id: string][]> {
	const listed: [string, string][] = [];
	for (let path: string | undefined = "/v1/pets?limit=100"; path; ) {
		const page: Response = await fetch(url + path, {
			headers: { Authorization: `Bearer ${apiKey}` },
		});
		if (!page.ok) throw new Error(await page.text());
		for (const { id, name } of await page.json())
			listed.push([name, String(id)]);
		path = /<(.*)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
	}
	return listed;
}
