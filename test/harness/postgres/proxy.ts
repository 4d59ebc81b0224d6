// A TCP proxy in front of PostgreSQL that can drop replies, hold all traffic, or switch to another server.
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

export type PostgresProxy = Awaited<ReturnType<typeof startProxy>>;

export async function startProxy(target: string) {
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
		/** The same database, through the proxy. */
		url: url.href,
		/** Sends no further reply to the next connection that sends this text, and closes it when the server has replied. */
		dropReplyTo(text: string): void {
			wanted = text;
		},
		/** The number of dropped replies. */
		droppedReplies: () => droppedReplies,
		/** Drops all further data of the open connections, and keeps them open. New connections work. */
		loseConnections(): void {
			for (const socket of sockets) lost.add(socket);
		},
		/** Closes all connections, and sends new ones to this server. */
		moveTo(target: string): void {
			({ hostname, port } = new URL(target));
			for (const socket of sockets) socket.destroy();
		},
		/** Holds all data in both directions until `restore`. Connections stay open. */
		hold(): void {
			held = [];
		},
		/** Forwards the held data. */
		restore(): void {
			const passing = held ?? [];
			held = undefined;
			for (const deliver of passing) deliver();
		},
		close(): void {
			listener.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}
