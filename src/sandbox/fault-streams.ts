// Replies that are sent slowly, or only in part.
import { setTimeout as sleep } from "node:timers/promises";

/** Sends half of the body, then closes the connection. Without a body, closes it before the first byte. */
export async function cutInHalf(response: Response): Promise<Response | "cut"> {
	const bytes = await readBytes(response);
	if (bytes.length === 0) return "cut";
	return withBody(response, async function* () {
		yield bytes.subarray(0, Math.floor(bytes.length / 2));
		await cut();
	});
}

/** Waits, since Bun resets the connection and unsent bytes would be lost. */
async function cut(): Promise<never> {
	await sleep(flushMs);
	throw undefined;
}

const flushMs = 20;

/** The whole body; of an event stream, which never ends, only the first chunk. */
async function readBytes(response: Response): Promise<Uint8Array> {
	if (response.body === null || !isEventStream(response))
		return response.bytes();
	const reader = response.body.getReader();
	const { value = new Uint8Array() } = await reader.read();
	await reader.cancel();
	return value;
}

function isEventStream({ headers }: Response): boolean {
	return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

export function slowDown(
	response: Response,
	bytesPerSecond: number,
	signal: AbortSignal,
): Response {
	const { body } = response;
	if (body === null) return response;
	const size = Math.max(1, Math.floor(bytesPerSecond / stepsPerSecond));
	return withBody(response, async function* () {
		for await (const chunk of body)
			for (let from = 0; from < chunk.length; from += size) {
				const part = chunk.subarray(from, from + size);
				yield part;
				await sleep((part.length / bytesPerSecond) * 1000, undefined, {
					signal,
				});
			}
	});
}

const stepsPerSecond = 20;

/** Passes on server-sent events, and closes the connection after `count` of them. Other replies stay unchanged. */
export function cutAfterEvents(response: Response, count: number): Response {
	const { body } = response;
	if (body === null || !isEventStream(response)) return response;
	return withBody(response, async function* () {
		let left = count;
		let text = "";
		const decoder = new TextDecoder();
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			const blocks = text.split(/(?<=\n\n)/);
			text = blocks.at(-1)?.endsWith("\n\n") ? "" : (blocks.pop() ?? "");
			for (const block of blocks) {
				const isEvent = !block.startsWith(":");
				if (isEvent && left === 0) break;
				yield encoder.encode(block);
				if (isEvent) left--;
			}
			if (left === 0) await cut();
		}
	});
}

const encoder = new TextEncoder();

function withBody(
	{ status, headers }: Response,
	toChunks: () => AsyncGenerator<Uint8Array>,
): Response {
	const chunks = toChunks();
	const body = new ReadableStream<Uint8Array>({
		async pull(controller) {
			// Without an error, since Bun would print it.
			const next = await chunks.next().catch(() => undefined);
			if (next === undefined) controller.error();
			else if (next.done) controller.close();
			else controller.enqueue(next.value);
		},
		async cancel() {
			await chunks.return(undefined);
		},
	});
	const own = new Headers(headers);
	own.delete("content-length");
	return new Response(body, { status, headers: own });
}
