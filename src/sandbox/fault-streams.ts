// Replies that are sent slowly, or only in part.
import { setTimeout as sleep } from "node:timers/promises";

/** Sends half of the body, then closes the connection. Without a body, closes it before the first byte. */
export async function cutInHalf(response: Response): Promise<Response | "cut"> {
	const bytes = await response.bytes();
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
