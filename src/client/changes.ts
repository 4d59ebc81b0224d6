// Follows the changes of a store as a stream. Reopens a broken stream after the last change.
import { parseExactly } from "./json.ts";
import {
	type CallOptions,
	type Fetch,
	requireCall,
	type Settings,
} from "./options.ts";
import { type Pet, requireType, toPet } from "./pet.ts";
import { PetstoreError, type Reply, toError, toReply } from "./reply.ts";
import { isTransient, pause, toDelay, within } from "./retry.ts";

export interface ChangesOptions extends CallOptions {
	/** Resumes after this `position`, that of your last handled change. Without it, all animals come first. */
	readonly after?: bigint | undefined;
}

export type Change = PetChange | PetRemoval;

export interface PetChange {
	readonly position: bigint;
	readonly kind: "added" | "changed";
	readonly petId: bigint;
	/** The animal as it is now. */
	readonly pet: Pet;
}

export interface PetRemoval {
	readonly position: bigint;
	readonly kind: "removed";
	readonly petId: bigint;
	readonly pet?: undefined;
}

/** Runs until it throws: a PetstoreError, or the signal's reason. */
export async function* followChanges(
	settings: Settings,
	options: ChangesOptions = {},
): AsyncGenerator<Change, void> {
	requireCall(options, "after");
	const { signal, timeout = settings.timeout } = options;
	let { after = 0n } = options;
	requireType("after", after, "bigint");
	const readable = { ...settings, fetch: refuseOtherOrigins(settings) };
	for (let failures = 0; ; failures++) {
		const openedAt = Date.now();
		const ending = new AbortController();
		let delay: number | undefined = Math.random() * 200;
		try {
			const { body, refusal } = await within(timeout, signal, silence, () =>
				open(readable, after, ending.signal),
			);
			if (body === undefined) delay = toDelay(refusal, failures);
			else
				for await (const change of readEvents(body, signal, timeout)) {
					after = change.position;
					failures = 0;
					yield change;
				}
		} catch (error) {
			signal?.throwIfAborted();
			if (error instanceof PetstoreError) throw error;
			delay = toDelay(undefined, failures);
		} finally {
			ending.abort();
		}
		// A stream that stayed open is not a failure.
		if (Date.now() - openedAt > settledMs) failures = 0;
		await pause(delay ?? maxDelayMs, signal);
	}
}

const settledMs = 5_000;
/** The store sends something at least every five seconds. */
const minSilenceMs = 15_000;
const maxDelayMs = 30_000;

/**
 * On a page of another origin, `fetch` fails alike for a store that is down and for a CORS refusal. Until the first reply, a failure counts
 * as a CORS refusal, which no retry can change.
 */
function refuseOtherOrigins({ base, fetch }: Settings): Fetch {
	const { origin } = globalThis.location ?? {};
	let isReadable = !origin || base.startsWith(`${origin}/`);
	return async (url, init) => {
		try {
			const response = await fetch(url, init);
			isReadable = true;
			return response;
		} catch (cause) {
			if (isReadable) throw cause;
			throw new PetstoreError(
				"network",
				`A page of ${origin} got no reply: only pages of the store's own origin may read its changes.`,
				{ cause },
			);
		}
	};
}

/** Returns the stream, or a transient refusal to retry. Throws other refusals. */
async function open(
	{ base, key, fetch }: Settings,
	after: bigint,
	signal: AbortSignal,
): Promise<{ body?: ReadableStream<Uint8Array>; refusal?: Reply }> {
	const url = `${base.replace(/v1$/, "operator/v1")}/changes?after=${after}`;
	const headers = new Headers({
		Accept: eventStream,
		Authorization: `Bearer ${key}`,
	});
	const response = await fetch(url, { headers, signal });
	const { body, ok } = response;
	const type = response.headers.get("Content-Type") ?? "";
	if (ok && body && type.startsWith(eventStream)) return { body };
	const refusal = await toReply(response, url);
	if (isTransient(refusal)) return { refusal };
	const { status } = refusal;
	throw (
		toError(refusal) ??
		new PetstoreError(
			"invalid_reply",
			"The store answered without a stream of events.",
			{ status },
		)
	);
}

const eventStream = "text/event-stream";

function silence(): never {
	throw new Error("no byte in time");
}

async function* readEvents(
	body: ReadableStream<Uint8Array>,
	signal: AbortSignal | undefined,
	timeout: number,
): AsyncGenerator<Change, void> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const silenceMs = Math.max(timeout, minSilenceMs);
	for (let text = ""; ; ) {
		const { value, done } = await within(silenceMs, signal, silence, () =>
			reader.read(),
		);
		if (done) return;
		const blocks = (text + decoder.decode(value, { stream: true })).split(
			/\r?\n\r?\n/,
		);
		text = blocks.pop() ?? "";
		for (const block of blocks) {
			const change = toChange(block);
			if (change !== undefined) yield change;
		}
	}
}

/** Undefined for an SSE comment. */
function toChange(block: string): Change | undefined {
	// Not with `^` and `$`: they also match at U+2028, which a name may contain.
	const lines = block.split(/\r?\n/);
	const field = (name: string) =>
		lines
			.find((line) => line.startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const data = field("data");
	if (data === undefined) return undefined;
	try {
		// From the id: a position can exceed int64.
		const position = BigInt(field("id") ?? "none");
		const { kind, petId, pet }: Partial<Record<string, unknown>> = {
			...Object(parseExactly(data)),
		};
		if (typeof petId !== "bigint") throw new Error("petId is not an int64");
		if (kind === "removed") return { position, kind, petId };
		if (kind !== "added" && kind !== "changed")
			throw new Error("kind is not one of the three");
		return { position, kind, petId, pet: toPet(pet) };
	} catch (cause) {
		throw new PetstoreError(
			"invalid_reply",
			`An event is not a change: ${cause}`,
			{ cause },
		);
	}
}
