// A server with scripted answers over raw sockets, even those that no HTTP server gives: a cut connection, half a reply, no reply.
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>;

/** The bytes of an answer, and whether the connection stays open after them. */
export interface Answer {
	readonly text: string;
	readonly isOpen?: boolean;
}

/** Answers each request with the next answer, and all further ones with the last. */
export async function startScriptedServer(
	...answers: readonly [Answer, ...Answer[]]
) {
	const requests: string[] = [];
	const sockets = new Set<Socket>();
	const listener = createServer((socket) => {
		let received = "";
		sockets.add(socket);
		socket
			.on("error", () => {})
			.on("close", () => sockets.delete(socket))
			.on("data", (data) => {
				received += data.toString("latin1");
				if (!isComplete(received)) return;
				const answer = answers[requests.length] ?? answers.at(-1);
				requests.push(received);
				received = "";
				socket.write(answer?.text ?? "");
				if (answer?.isOpen !== true) socket.end();
			});
	}).listen(0, "127.0.0.1");
	await once(listener, "listening");
	const address = listener.address();
	const port = typeof address === "object" ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}`,
		/** The requests that have arrived completely. */
		requests,
		close() {
			listener.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}

/** A whole reply. */
export function reply(
	status: number,
	body: string,
	headers: Readonly<Record<string, string>> = {},
): Answer {
	const lines = Object.entries({
		"Content-Length": String(Buffer.byteLength(body)),
		Connection: "close",
		...headers,
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	return {
		text: `HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n${body}`,
	};
}

/** Closes the connection without a byte. */
export const cut: Answer = { text: "" };

/** Sends nothing, and keeps the connection open. */
export const silence: Answer = { text: "", isOpen: true };

function isComplete(request: string): boolean {
	const end = request.indexOf("\r\n\r\n");
	if (end < 0) return false;
	const [, length = 0] = /^content-length: (\d+)/im.exec(request) ?? [];
	return request.length >= end + 4 + Number(length);
}
