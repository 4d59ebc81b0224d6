// A connection that is kept open: one request after the other, and what arrives for each.
import type { Socket } from "node:net";
import { connect } from "./raw.ts";

export type Connection = Awaited<ReturnType<typeof open>>;

export async function open(url: string) {
	const socket = connect(url);
	let isOpen = true;
	let received = "";
	let settle = (_error?: Error) => {};
	const end = (error: Error) => {
		isOpen = false;
		socket.destroy();
		settle(error);
	};
	await connected(socket);
	socket
		.setNoDelay(true)
		.on("data", (data) => {
			received += data.toString("latin1");
			if (isComplete(received)) settle();
		})
		.on("error", end)
		.on("end", () => end(new Error("closed without a reply")));
	return {
		/** Whether it can send another request. */
		isOpen: () => isOpen,
		/** Resolves with the whole reply. Rejects if the connection ends first. */
		send: (text: string) =>
			new Promise<string>((resolve, reject) => {
				received = "";
				settle = (error?: Error) => {
					settle = () => {};
					if (/\r\nconnection: close\r\n/i.test(received)) isOpen = false;
					if (error === undefined) resolve(received);
					else reject(error);
				};
				socket.write(text);
			}),
		/** Sends a further part of the request. */
		sendMore: (text: string) => socket.write(text),
		close() {
			isOpen = false;
			socket.destroy();
		},
	};
}

function connected(socket: Socket): Promise<void> {
	return new Promise((resolve, reject) => {
		socket.once("connect", resolve).once("error", reject);
	});
}

/** Whether the whole body has arrived. Replies to these requests have a Content-Length. */
function isComplete(received: string): boolean {
	const end = received.indexOf("\r\n\r\n");
	if (end < 0) return false;
	const head = received.slice(0, end);
	const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
	return received.length >= end + 4 + length;
}
