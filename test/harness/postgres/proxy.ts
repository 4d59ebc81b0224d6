// A TCP proxy in front of PostgreSQL that can drop replies, hold all traffic, or switch to another server.
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

export interface PostgresProxy {
	/** The same database, through the proxy. */
	readonly url: string;
	/** Sends no further reply to the next connection that sends this text, and closes it when the server has replied. */
	readonly dropReplyTo: (text: string) => void;
	/** The number of dropped replies. */
	readonly droppedReplies: () => number;
	/** Holds all data in both directions until `restore`. Connections stay open. */
	readonly hold: () => void;
	/** Forwards the held data. */
	readonly restore: () => void;
	/** Drops all further data of the open connections, and keeps them open. New connections work. */
	readonly loseConnections: () => void;
	/** Closes all connections, and sends new ones to this server. */
	readonly moveTo: (target: string) => void;
	readonly close: () => void;
}

export async function startProxy(target: string): Promise<PostgresProxy> {
	let { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	let wanted: string | undefined;
	let droppedReplies = 0;
	let held: (() => void)[] | undefined;

	const lost = new Set<Socket>();
	const pass = (target: Socket, data: string | Buffer) => {
		if (lost.has(target)) return;
		if (held === undefined) target.write(data);
		else held.push(() => target.write(data));
	};

	const listener = createServer((client) => {
		const upstream = createConnection(Number(port), hostname);
		let mute: string | undefined;
		for (const socket of [client, upstream]) {
			sockets.add(socket);
			socket
				.on("error", () => {})
				.on("close", () => {
					sockets.delete(socket);
					client.destroy();
					upstream.destroy();
				});
		}
		client.on("data", (data) => {
			if (wanted !== undefined && data.includes(wanted)) {
				mute = wanted;
				droppedReplies++;
				wanted = undefined;
			}
			pass(upstream, data);
		});
		upstream.on("data", (data) => {
			if (mute === undefined) pass(client, data);
			// The server has run the statement. Before a COMMIT it replies to others, which were sent with it.
			else if (mute !== "COMMIT" || data.includes(mute)) client.destroy();
		});
	}).listen(0, "127.0.0.1");
	await once(listener, "listening");

	const url = new URL(target);
	const address = listener.address();
	url.port = typeof address === "object" ? String(address?.port) : "";
	return {
		url: url.href,
		dropReplyTo: (text) => {
			wanted = text;
		},
		droppedReplies: () => droppedReplies,
		loseConnections: () => {
			for (const socket of sockets) lost.add(socket);
		},
		moveTo: (target) => {
			({ hostname, port } = new URL(target));
			for (const socket of sockets) socket.destroy();
		},
		hold: () => {
			held = [];
		},
		restore: () => {
			const passing = held ?? [];
			held = undefined;
			for (const deliver of passing) deliver();
		},
		close: () => {
			listener.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}
