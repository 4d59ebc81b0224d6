// A TCP proxy in front of PostgreSQL that can lose a reply on its way back, or lead elsewhere.
import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

export interface PostgresProxy {
	/** The same database, through the proxy. */
	readonly url: string;
	/** The next connection that sends this text gets no answer any more, and is cut a moment later. */
	readonly swallowReplyTo: (text: string) => void;
	/** How often that happened. */
	readonly swallowed: () => number;
	/** Nothing passes any more, in either direction, and nobody is told; until `restore`. */
	readonly hold: () => void;
	readonly restore: () => void;
	/** The connections that are open now pass nothing any more, for good; new ones work. */
	readonly loseConnections: () => void;
	/** New connections go to another server; those to the old one are cut. */
	readonly moveTo: (target: string) => void;
	readonly close: () => void;
}

export async function startProxy(target: string): Promise<PostgresProxy> {
	let { hostname, port } = new URL(target);
	const sockets = new Set<Socket>();
	let wanted: string | undefined;
	let swallowed = 0;
	let held: (() => void)[] | undefined;

	const lost = new Set<Socket>();
	const pass = (target: Socket, data: string | Buffer) => {
		if (lost.has(target)) return;
		if (held === undefined) target.write(data);
		else held.push(() => target.write(data));
	};

	const listener = createServer((client) => {
		const upstream = createConnection(Number(port), hostname);
		let mute = false;
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
				mute = true;
				swallowed++;
				wanted = undefined;
				// Time enough for the server to do what it was asked.
				setTimeout(() => client.destroy(), 50);
			}
			pass(upstream, data);
		});
		upstream.on("data", (data) => {
			if (!mute) pass(client, data);
		});
	}).listen(0, "127.0.0.1");
	await once(listener, "listening");

	const url = new URL(target);
	const address = listener.address();
	url.port = typeof address === "object" ? String(address?.port) : "";
	return {
		url: url.href,
		swallowReplyTo: (text) => {
			wanted = text;
		},
		swallowed: () => swallowed,
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
