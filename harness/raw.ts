// HTTP as bytes: written, sent with no client in between that would mend them, and read strictly.
import { createConnection, type Socket } from "node:net";

export function request(
	start: string,
	lines: readonly string[],
	content = "",
): string {
	return [`${start} HTTP/1.1`, "Host: x", ...lines, "", content].join("\r\n");
}

/** In two chunks where there is enough for two. */
export function toChunks(body: string): string {
	const chunks = [body.slice(0, 5), body.slice(5)].filter(
		(chunk) => chunk !== "",
	);
	return [
		...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}`),
		"0",
		"",
		"",
	].join("\r\n");
}

export interface RawOptions {
	/** Rejects when the service has not closed the connection by then. */
	readonly deadlineMs?: number;
	/**
	 * When to end our side of the connection. At once: the service waits for nothing more, and may drop what it has not
	 * answered yet. Otherwise when the reply begins, so that a connection kept alive ends too.
	 */
	readonly end?: "at once" | "when the reply begins";
	/** Sends byte after byte with this pause. */
	readonly dripMs?: number;
}

/** Sends characters as bytes, one each, and returns everything that came before the service closed the connection. */
export function sendRaw(
	url: string,
	text: string,
	options: RawOptions = {},
): Promise<string> {
	const { deadlineMs = 12_000, end = "when the reply begins" } = options;
	return new Promise((resolve, reject) => {
		const socket = connect(url);
		let received = "";
		let dripping: Timer | undefined;
		const deadline = setTimeout(() => {
			socket.destroy();
			reject(new Error(`still open after ${deadlineMs} ms: ${received}`));
		}, deadlineMs);
		socket
			.on("data", (data) => {
				received += data.toString("latin1");
				clearInterval(dripping);
				if (end === "when the reply begins" && finalStatus.test(received))
					socket.end();
			})
			// A service that closes before it has read all resets the connection: closed all the same.
			.on("error", () => {})
			.on("close", () => {
				clearTimeout(deadline);
				clearInterval(dripping);
				resolve(received);
			});
		if (options.dripMs !== undefined)
			dripping = drip(socket, text, options.dripMs);
		else if (end === "at once") socket.end(text, "latin1");
		else socket.write(text, "latin1");
	});
}

/** Not that of a 100, which only announces a reply. */
const finalStatus = /^HTTP\/1\.1 [2-5]/m;

export function connect(url: string): Socket {
	const { hostname, port } = new URL(url);
	return createConnection(Number(port), hostname);
}

function drip(socket: Socket, text: string, pauseMs: number): Timer {
	let sent = 0;
	return setInterval(() => {
		socket.write(text.slice(sent, sent + 1), "latin1");
		sent += 1;
	}, pauseMs);
}

/** Whether the bytes begin with a whole request. */
export function isWhole(sent: string): boolean {
	return readRequest(sent) !== undefined;
}

/** The names of the animals that whole, authenticated requests among the bytes ask for. */
export function askedFor(sent: string, apiKey: string): string[] {
	const names: string[] = [];
	for (let rest = sent; ; ) {
		const read = readRequest(rest);
		if (read === undefined) return names;
		rest = read.rest;
		const name = isAdd(read, apiKey) ? toName(read.body) : undefined;
		if (name !== undefined) names.push(name);
	}
}

interface RawRequest {
	readonly method: string;
	readonly target: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	/** What comes after it. */
	readonly rest: string;
}

function readRequest(text: string): RawRequest | undefined {
	const end = text.indexOf("\r\n\r\n");
	if (end === -1) return undefined;
	const [start = "", ...lines] = text.slice(0, end).split("\r\n");
	const [, method, target] = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(start) ?? [];
	const headers = lines.flatMap((line) => {
		const [, name, value] =
			/^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
		return name === undefined || value === undefined
			? []
			: [[name.toLowerCase(), value] as const];
	});
	if (
		method === undefined ||
		target === undefined ||
		headers.length < lines.length
	)
		return undefined;
	const framed = readBody(headers, text.slice(end + 4));
	return framed && { method, target, headers, ...framed };
}

type Framed = Pick<RawRequest, "body" | "rest">;

function readBody(
	headers: RawRequest["headers"],
	text: string,
): Framed | undefined {
	const lengths = valuesOf(headers, "content-length");
	const codings = valuesOf(headers, "transfer-encoding");
	if (codings.length > 0)
		return isChunked(codings) && lengths.length === 0
			? readChunks(text)
			: undefined;
	const [length = "0", ...others] = new Set(lengths);
	if (!/^\d+$/.test(length) || others.length > 0) return undefined;
	return text.length < Number(length)
		? undefined
		: { body: text.slice(0, Number(length)), rest: text.slice(Number(length)) };
}

/** Several lines are one list, and its empty members count for nothing. */
function isChunked(codings: readonly string[]): boolean {
	return /^[, \t]*chunked[, \t]*$/i.test(codings.join());
}

function readChunks(text: string): Framed | undefined {
	let body = "";
	for (let rest = text; ; ) {
		const [line, digits] = /^([0-9a-f]+)(?:;[^\r\n]*)?\r\n/i.exec(rest) ?? [];
		if (line === undefined || digits === undefined) return undefined;
		const size = Number.parseInt(digits, 16);
		rest = rest.slice(line.length);
		// The service has the whole body here; what may still follow, a trailer, is no part of what is asked.
		if (size === 0) return { body, rest: rest.replace(/^\r\n/, "") };
		if (rest.slice(size, size + 2) !== "\r\n") return undefined;
		body += rest.slice(0, size);
		rest = rest.slice(size + 2);
	}
}

function isAdd(
	{ method, target, headers }: RawRequest,
	apiKey: string,
): boolean {
	const [authorization, ...others] = valuesOf(headers, "authorization");
	return (
		method === "POST" &&
		URL.parse(target, "http://x")?.pathname === "/v1/pets" &&
		/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] === apiKey &&
		others.length === 0
	);
}

function toName(body: string): string | undefined {
	try {
		const pet: unknown = JSON.parse(utf8.decode(Buffer.from(body, "latin1")));
		return typeof pet === "object" && pet !== null && "name" in pet
			? String(pet.name)
			: undefined;
	} catch {
		return undefined;
	}
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function valuesOf(headers: RawRequest["headers"], wanted: string): string[] {
	return headers.filter(([name]) => name === wanted).map(([, value]) => value);
}
