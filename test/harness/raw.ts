// Writes HTTP requests as text, and sends any text over a socket, without an HTTP client that would correct it.
import { createConnection, type Socket } from "node:net";

export function request(
	start: string,
	lines: readonly string[],
	content = "",
): string {
	return [`${start} HTTP/1.1`, "Host: localhost", ...lines, "", content].join(
		"\r\n",
	);
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
	/** After this time, `sendRaw` rejects if the service has not closed the connection. */
	readonly timeoutMs?: number;
	/**
	 * When to end our side of the connection. After sending, the service waits for no more bytes, and may drop a request that it has not
	 * answered. When the reply begins, even a kept-alive connection is closed.
	 */
	readonly end?: "after sending" | "when the reply begins";
}

/** Sends each character as one byte. Returns everything that arrives before the service closes the connection. */
export function sendRaw(
	url: string,
	text: string,
	options: RawOptions = {},
): Promise<string> {
	const { timeoutMs = 12_000, end = "when the reply begins" } = options;
	return new Promise((resolve, reject) => {
		const socket = connect(url);
		let received = "";
		const timeout = setTimeout(() => {
			socket.destroy();
			reject(new Error(`still open after ${timeoutMs} ms: ${received}`));
		}, timeoutMs);
		socket
			.on("data", (data) => {
				received += data.toString("latin1");
				if (end === "when the reply begins" && finalStatus.test(received))
					socket.end();
			})
			// A service that closes before it has read everything resets the connection, which counts as closed.
			.on("error", () => {})
			.on("close", () => {
				clearTimeout(timeout);
				resolve(received);
			});
		if (end === "after sending") socket.end(text, "latin1");
		else socket.write(text, "latin1");
	});
}

/** The status line of the final reply, not of a 100 Continue. */
const finalStatus = /^HTTP\/1\.1 [2-5]/m;

export function connect(url: string): Socket {
	const { hostname, port } = new URL(url);
	// A URL has an IPv6 address in brackets.
	return createConnection(Number(port), hostname.replace(/^\[|\]$/g, ""));
}
