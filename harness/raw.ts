// Writes HTTP requests as text, and sends any text over a socket, without an HTTP client that would correct it.
import { createConnection, type Socket } from "node:net";

export function request(
	start: string,
	lines: readonly string[],
	content = "",
): string {
	return [`${start} HTTP/1.1`, "Host: x", ...lines, "", content].join("\r\n");
}

/** The body in chunked encoding: two chunks, or one if it is short. */
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
	/** `sendRaw` rejects if the service has not closed the connection after this time. */
	readonly timeoutMs?: number;
	/**
	 * When to end our side of the connection. If it ends after sending, the service waits for no more bytes, and may drop a
	 * request that it has not answered yet. If it ends when the reply begins, a kept-alive connection is closed too.
	 */
	readonly end?: "after sending" | "when the reply begins";
	/** Sends one byte at a time, with this pause between them. */
	readonly dripMs?: number;
}

/** Sends each character as one byte, and returns everything that arrived before the service closed the connection. */
export function sendRaw(
	url: string,
	text: string,
	options: RawOptions = {},
): Promise<string> {
	const { timeoutMs = 12_000, end = "when the reply begins" } = options;
	return new Promise((resolve, reject) => {
		const socket = connect(url);
		let received = "";
		let dripping: Timer | undefined;
		const timeout = setTimeout(() => {
			socket.destroy();
			reject(new Error(`still open after ${timeoutMs} ms: ${received}`));
		}, timeoutMs);
		socket
			.on("data", (data) => {
				received += data.toString("latin1");
				clearInterval(dripping);
				if (end === "when the reply begins" && finalStatus.test(received))
					socket.end();
			})
			// A service that closes before it has read everything resets the connection. That counts as closed too.
			.on("error", () => {})
			.on("close", () => {
				clearTimeout(timeout);
				clearInterval(dripping);
				resolve(received);
			});
		if (options.dripMs !== undefined)
			dripping = drip(socket, text, options.dripMs);
		else if (end === "after sending") socket.end(text, "latin1");
		else socket.write(text, "latin1");
	});
}

/** The status line of a reply. A 100 Continue is not a reply, since one follows it. */
const finalStatus = /^HTTP\/1\.1 [2-5]/m;

export function connect(url: string): Socket {
	const { hostname, port } = new URL(url);
	// An IPv6 address is in brackets.
	return createConnection(Number(port), hostname.replace(/^\[|\]$/g, ""));
}

function drip(socket: Socket, text: string, pauseMs: number): Timer {
	let sent = 0;
	return setInterval(() => {
		socket.write(text.slice(sent, sent + 1), "latin1");
		sent += 1;
	}, pauseMs);
}
