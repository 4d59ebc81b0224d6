// Reads the JSON body of a request: checks its media type and size, waits for it, parses it.
import { pause, shareTimeout, withTimeout } from "../domain/async.ts";
import { Failure } from "../domain/errors.ts";
import { toSizeText } from "../domain/quantity.ts";
import { maxJsonDepth, parseJson, toJsonRule } from "../domain/types/json.ts";
import { maxBodyBytes } from "../limits.ts";

/** Longer bodies take milliseconds to parse. A usual NewPet has a hundred bytes. */
const shortBytes = 8 * 1024;

/** Shorter than `idleMs`, so that the client gets a 408 before Bun closes its connection. */
const bodyTimeoutMs = 6_000;

export function readJsonBody(
	request: Request,
	maxBytes = maxBodyBytes,
	/** For the refusal. */
	mediaTypes = "application/json",
): Promise<unknown> {
	requireJson(request.headers, mediaTypes);
	return readAnyBody(request, maxBytes);
}

/** Reads the body as JSON, whatever the headers say about it. */
export async function readAnyBody(
	request: Request,
	maxBytes = maxBodyBytes,
): Promise<unknown> {
	const bytes = await inTime(readBytes(request, maxBytes));
	if (bytes.length > shortBytes) await pause();
	try {
		return parseJson(bytes, maxJsonDepth);
	} catch {
		throw new Failure("invalid_body", toJsonRule("body"));
	}
}

function requireJson(headers: Headers, mediaTypes: string): void {
	const type = headers.get("content-type");
	if (type !== null && !jsonType.test(type))
		throw new Failure(
			"unsupported_media_type",
			`Content-Type must be ${mediaTypes}.`,
		);
	requireIdentity(headers);
}

function requireIdentity(headers: Headers): void {
	const encoding = headers.get("content-encoding");
	if (encoding !== null && encoding.toLowerCase() !== "identity")
		throw new Failure(
			"unsupported_media_type",
			"Content-Encoding must be identity.",
		);
}

const inTime = shareTimeout(bodyTimeoutMs, () =>
	slowBody(`within ${bodyTimeoutMs / 1000} seconds`),
);

const jsonType = /^application\/(?:[\w!#$&^.+-]+\+)?json\s*(?:;|$)/i;

function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
	const length = Number(request.headers.get("content-length") ?? Number.NaN);
	if (length > maxBytes) throw largeBody(maxBytes);
	// A chunked body has no Content-Length, and two equal ones arrive joined by a comma.
	// Bun reads a body of known length faster in one piece.
	return Number.isNaN(length)
		? Array.fromAsync(readChunks(request.body, maxBytes)).then(Buffer.concat)
		: request.bytes().catch(cutShort);
}

async function* readChunks(
	body: Request["body"],
	maxBytes: number,
	inTime = <Result>(read: Promise<Result>) => read,
): AsyncGenerator<Uint8Array> {
	if (body === null) return;
	const reader = body.getReader();
	for (let size = 0; ; ) {
		const { done, value } = await inTime(reader.read().catch(cutShort));
		if (done) return;
		size += value.byteLength;
		if (size > maxBytes) throw largeBody(maxBytes);
		yield value;
	}
}

/** The bytes of a long body of any type. It must arrive within `ms`, without a pause above `bodyTimeoutMs`. */
export async function* readParts(
	request: Request,
	maxBytes: number,
	ms: number,
): AsyncGenerator<Uint8Array> {
	requireIdentity(request.headers);
	const length = Number(request.headers.get("content-length") ?? 0);
	if (length > maxBytes) throw largeBody(maxBytes);
	const deadline = performance.now() + ms;
	const rule = `within ${ms / 1000} seconds, without a pause of ${bodyTimeoutMs / 1000}`;
	const inTime = <Result>(read: Promise<Result>) => {
		const leftMs = Math.min(bodyTimeoutMs, deadline - performance.now());
		return withTimeout(leftMs, read, () => slowBody(rule));
	};
	let isEmpty = true;
	for await (const chunk of readChunks(request.body, maxBytes, inTime)) {
		isEmpty = false;
		yield chunk;
	}
	if (isEmpty) throw new Failure("invalid_body", "The body is missing.");
}

// The client has closed the connection, which is no failure of the service.
function cutShort(): never {
	throw new Failure("invalid_body", "The body must arrive whole.");
}

function slowBody(rule: string): Failure {
	return new Failure("request_timeout", `The body must arrive ${rule}.`);
}

function largeBody(maxBytes: number): Failure {
	return new Failure(
		"payload_too_large",
		`The body must not be larger than ${toSizeText(maxBytes)}.`,
	);
}
