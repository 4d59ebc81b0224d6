// A client that sends each add once, without an Idempotency-Key. After a 503 with Retry-After, its animal must not be in the catalogue at
// the end. After a 503 without Retry-After, or without a reply, it may be.
import { loop } from "../loop.ts";

export interface OnceWriter {
	/** The acknowledged names. */
	readonly added: ReadonlySet<string>;
	/** The names that may have been added. */
	readonly uncertain: ReadonlySet<string>;
	/** Replies other than a 201 or a 503. */
	readonly wrong: readonly string[];
	readonly stop: () => Promise<void>;
}

export function startOnceWriter(apiKey: string, url: () => string): OnceWriter {
	const added = new Set<string>();
	const uncertain = new Set<string>();
	const wrong: string[] = [];
	let number = 0;
	const stop = loop(async () => {
		const name = `once-${number++}`;
		const reply = await send(url(), apiKey, name);
		if (reply?.status === 201) added.add(name);
		else if (reply === undefined) uncertain.add(name);
		else if (reply.status !== 503)
			wrong.push(`${name} was answered ${reply.status}`);
		else if (!reply.headers.has("Retry-After")) uncertain.add(name);
		await Bun.sleep(pauseMs);
	});
	return { added, uncertain, wrong, stop };
}

const pauseMs = 5;

/** Undefined if the connection was refused or closed. */
async function send(
	url: string,
	apiKey: string,
	name: string,
): Promise<Response | undefined> {
	try {
		const response = await fetch(`${url}/v1/pets`, {
			method: "POST",
			headers: { Authorization: `Bearer ${apiKey}` },
			body: JSON.stringify({ name, categoryId: 1 }),
		});
		await response.arrayBuffer();
		return response;
	} catch {
		return undefined;
	}
}
