// A body that is read and sent in parts. A client that is too slow is disconnected.

/**
 * Bun asks for a part when the client has read the last one. The client has `ms` for each part, or for all. `onEnd` is called once, with the
 * error if `readNext` failed before the client was disconnected.
 */
export function toPartStream(
	/** Undefined after the last part. */
	readNext: () => Promise<Uint8Array | undefined>,
	ms: number,
	onEnd: (error?: unknown) => void,
	timed: "each part" | "whole body" = "each part",
): ReadableStream<Uint8Array> {
	let timer: Timer | undefined;
	let isOpen = true;

	function end(error?: unknown): void {
		clearTimeout(timer);
		if (!isOpen) return;
		isOpen = false;
		onEnd(error);
	}

	return new ReadableStream(
		{
			async pull(controller) {
				const fail = (error: unknown) => {
					end(error instanceof SlowClient ? undefined : error);
					controller.error(error);
				};
				if (timed === "each part") clearTimeout(timer);
				try {
					const part = await readNext();
					if (!isOpen) return;
					if (part === undefined) {
						end();
						return controller.close();
					}
					if (timed === "each part" || timer === undefined)
						timer = setTimeout(() => fail(new SlowClient()), ms);
					controller.enqueue(part);
				} catch (error) {
					fail(error);
				}
			},
			cancel: () => end(),
		},
		{ highWaterMark: 1 },
	);
}

export class SlowClient extends Error {
	override readonly message = "The client reads too slowly.";
}
