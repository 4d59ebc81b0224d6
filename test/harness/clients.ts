// Clients that list and add, on kept and on new connections, and never repeat a request. As HTTP requires, they use a new connection after
// `Connection: close`, or when the service has closed the old one.

import type { Socket } from "node:net";
import { connect, request } from "./raw.ts";

export interface Clients {
	/** How many requests were sent. */
	readonly requests: () => number;
	/** One sentence per request with a wrong reply or none. */
	readonly failures: readonly string[];
	/** The id of each acknowledged animal by its name. */
	readonly acknowledged: ReadonlyMap<string, string>;
	readonly slowestMs: () => number;
	/** Resolves when the last request of each client has its reply. */
	readonly stop: () => Promise<void>;
}

/** Half of the clients keep their connections, the others use each for one request. Half of each group adds, the rest lists. */
export function startClients(
	count: number,
	apiKey: string,
	url: string,
	pauseMs: number,
): Clients {
	const acknowledged = new Map<string, string>();
	const failures: string[] = [];
	let requests = 0;
	let slowestMs = 0;
	let isRunning = true;

	const work = async (client: number) => {
		const kind = { isKept: client % 2 === 0, adds: client % 4 < 2 };
		let connection: Connection | undefined;
		for (let number = 0; isRunning; number++) {
			const name = `${client}-${number}`;
			const sentAt = performance.now();
			try {
				requests++;
				if (connection?.isOpen() !== true) connection = await open(url);
				const reply = await connection.send(toText(kind, name, apiKey));
				if (!kind.isKept) connection.close();
				check(reply, kind.adds, name);
			} catch (error) {
				failures.push(`${kind.adds ? "an add" : "a list"} failed: ${error}`);
			}
			slowestMs = Math.max(slowestMs, performance.now() - sentAt);
			await Bun.sleep(pauseMs * (0.5 + Math.random()));
		}
		connection?.close();
	};

	const check = (reply: string, adds: boolean, name: string) => {
		const [, id = ""] = /\r\n\r\n\{"id":(\d+),/.exec(reply) ?? [];
		if (adds && /^HTTP\/1\.1 201 /.test(reply)) acknowledged.set(name, id);
		else if (adds || !/^HTTP\/1\.1 200 /.test(reply))
			throw new Error(`the reply was ${reply.replace(/\r\n.*\r\n\r\n/s, " ")}`);
	};

	const clients = Array.from({ length: count }, (_, client) => work(client));
	return {
		requests: () => requests,
		failures,
		acknowledged,
		slowestMs: () => slowestMs,
		async stop() {
			isRunning = false;
			await Promise.all(clients);
		},
	};
}

function toText(
	{ isKept, adds }: { isKept: boolean; adds: boolean },
	name: string,
	apiKey: string,
): string {
	const headers = [
		`Authorization: Bearer ${apiKey}`,
		...(isKept ? [] : ["Connection: close"]),
	];
	if (!adds) return request("GET /v1/pets", headers);
	const body = JSON.stringify({ name, categoryId: 1 });
	const content = [
		"Content-Type: application/json",
		`Content-Length: ${body.length}`,
	];
	return request("POST /v1/pets", [...headers, ...content], body);
}

export interface Connection {
	/** Whether it can send another request. */
	readonly isOpen: () => boolean;
	/** Resolves with the whole reply. Rejects if the connection ends first. */
	readonly send: (text: string) => Promise<string>;
	/** Sends a further part of the request. */
	readonly sendMore: (text: string) => void;
	readonly close: () => void;
}

export async function open(url: string): Promise<Connection> {
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
		isOpen: () => isOpen,
		send: (text) =>
			new Promise((resolve, reject) => {
				received = "";
				settle = (error) => {
					settle = () => {};
					if (/\r\nconnection: close\r\n/i.test(received)) isOpen = false;
					if (error === undefined) resolve(received);
					else reject(error);
				};
				socket.write(text);
			}),
		sendMore: (text) => socket.write(text),
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
