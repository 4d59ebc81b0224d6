// Clients that add animals one after the other. Each repeats an add with the same Idempotency-Key until it is acknowledged.
import { waitFor } from "./process.ts";

export type Writers = ReturnType<typeof startWriters>;

/** Each add is sent to `url()`, which may change, because a restarted service has another port. */
export function startWriters(
	count: number,
	apiKey: string,
	url: () => string,
	pauseMs = 0,
) {
	const acknowledged = new Map<string, string>();
	const order: [string, string][] = [];
	const statuses = new Map<number, number>();
	const wrong: string[] = [];
	let unanswered = 0;
	let slowest = 0;
	let running = true;
	let abandoned = false;
	let lastSentAt = 0;

	/** Sends one add. Returns whether it was acknowledged. */
	const attempt = async (name: string): Promise<boolean> => {
		const sentAt = performance.now();
		const reply = await send(url(), apiKey, name);
		slowest = Math.max(slowest, performance.now() - sentAt);
		if (reply === undefined) {
			unanswered++;
			return false;
		}
		const { status, text, mayRetry } = reply;
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
		const [, id] = /^\{"id":(\d+),/.exec(text) ?? [];
		const isPet = id !== undefined && text.includes(`"name":"${name}"`);
		if (status === 201 && isPet) {
			acknowledged.set(name, id);
			order.push([name, id]);
			lastSentAt = Math.max(lastSentAt, sentAt);
			return true;
		}
		if (status !== 503 || !mayRetry)
			wrong.push(`${name} was answered ${status} ${text}`);
		return status === 201;
	};

	const writers = Array.from({ length: count }, async (_, writer) => {
		for (let number = 0; running; number++) {
			while (!abandoned && !(await attempt(`${writer}-${number}`)))
				await Bun.sleep(20);
			if (pauseMs > 0) await Bun.sleep(pauseMs);
		}
	});

	return {
		/** The id of each acknowledged animal by its name, in the order of acknowledgement. */
		acknowledged,
		/** The last acknowledged animals, as name and id. */
		latest: (count: number) => order.slice(-count),
		/** The number of replies by status. */
		statuses,
		/** Replies other than a 201 with the animal or a 503 with Retry-After. An add with an Idempotency-Key may get no others. */
		wrong,
		/** Requests without a reply, because the connection was closed or refused. */
		unanswered: () => unanswered,
		/** The time of the slowest request, with or without a reply. */
		slowestMs: () => slowest,
		/** Resolves when an add that is sent after this call has been acknowledged. */
		async progress() {
			const asked = performance.now();
			await waitFor(
				() => lastSentAt >= asked || abandoned,
				"no further add was acknowledged",
				progressTimeoutMs,
			);
		},
		/** Resolves when the last add of each writer has been acknowledged. */
		async stop() {
			running = false;
			await Promise.all(writers);
		},
		/** Stops the writers without waiting for acknowledgements. */
		abandon() {
			running = false;
			abandoned = true;
		},
	};
}

const progressTimeoutMs = 5_000;

/** Undefined if the connection was refused, or closed before the whole reply. */
async function send(url: string, apiKey: string, name: string) {
	try {
		const response = await add(url, apiKey, name);
		const mayRetry = response.headers.has("Retry-After");
		return { status: response.status, text: await response.text(), mayRetry };
	} catch {
		return undefined;
	}
}

/** Adds an animal, with its name as the Idempotency-Key. */
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
