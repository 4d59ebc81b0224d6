// Listening and stopping.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { after } from "../async/awaitable.ts";
import {
	connectionsEndMs,
	idleMs,
	lastHandshakesMs,
	lastReplyMs,
	maxLastHandshakesMs,
} from "../limits.ts";
import { toProc } from "../program.ts";
import { type Address, toListenError, toUrl } from "./address.ts";
import type { App } from "./app.ts";
import { noSocket, type Source } from "./exchange.ts";
import { limitPerIteration } from "./iteration-limit.ts";
import {
	countListeners,
	knowsSockets,
	socketDescriptors,
} from "./listening/descriptors.ts";
import {
	distribute,
	type TurnedAway,
	turnAway,
} from "./listening/turn-away.ts";
import type { Tls } from "./tls.ts";

export interface Server {
	/** Where to call it from this machine. With TLS, a name that the certificate is for, which may lead elsewhere. */
	readonly url: string;
	/** Gives new connections another certificate, all of them after `connectionsEndMs`. Those with the old one are closed after their next reply, or when they are idle. */
	readonly renewTls: (tls: Tls) => void;
	/** From now on every reply is the last on its connection. Resolves when all replies are sent, or their time is over. */
	readonly stop: (options: StopOptions) => Promise<void>;
}

export interface StopOptions {
	/** How long the listener stays open. */
	readonly drainMs: number;
	/** Whether another listener, also of another process, serves at the same address already. */
	readonly isReplaced?: boolean;
	/** Ends the time to drain. */
	readonly hurry?: AbortSignal;
}

/** `proc` is where the system lists sockets. Where it does not, only one listener can have the port. */
export function listen(app: App, address: Address, proc = toProc()): Server {
	const replaced = new Set<Promise<void>>();
	const hurryReplaced = new AbortController();
	const system = { proc, isShared: knowsSockets(proc) };
	let isStopping = false;
	let current = address;
	let listener = openListener(app, current, system);
	if (!address.reusePort) refuseSharing(listener, address);

	function open(next: Address): void {
		listener = openListener(app, next, system);
		current = next;
	}

	function close({ close }: Listener, options: StopOptions): void {
		const closed = close(options);
		replaced.add(closed);
		void closed.then(() => replaced.delete(closed));
	}

	/** The port is free only when the old listener is closed. That resets connections that it has not accepted yet. */
	function reopen(next: Address): void {
		close(listener, { drainMs: 0 });
		try {
			open(next);
		} catch (error) {
			open({ ...current, port: next.port });
			throw error;
		}
	}

	return {
		url: toUrl(address, listener.port),
		renewTls(tls) {
			if (isStopping) return;
			const old = listener;
			const next = { ...address, port: old.port, tls };
			if (!system.isShared) return reopen(next);
			open(next);
			close(old, {
				drainMs: connectionsEndMs,
				isReplaced: true,
				hurry: hurryReplaced.signal,
			});
		},
		async stop(options) {
			isStopping = true;
			await listener.close(options);
			hurryReplaced.abort();
			await Promise.all(replaced);
		},
	};
}

/** Another process that was started at the same moment may listen there too. */
function refuseSharing(
	{ descriptor, close }: Listener,
	{ host, port }: Address,
): void {
	if (descriptor === undefined || countListeners(descriptor) <= 1) return;
	void close({ drainMs: 0 });
	throw toListenError(
		Object.assign(new Error("in use"), { code: "EADDRINUSE" }),
		`${host}:${port}`,
	);
}

interface System {
	readonly proc: string;
	/** Whether two listeners may have one port. */
	readonly isShared: boolean;
}

interface Listener {
	readonly port: number;
	/** Undefined where it is not known. */
	readonly descriptor: number | undefined;
	readonly close: (options: StopOptions) => Promise<void>;
}

/**
 * Where it is possible, two listeners may have one port: Bun cannot change the certificate of a listener, so a renewed one needs a
 * second listener; and a listener that closes needs a second socket for the connections that it turns away.
 */
function openListener(
	app: App,
	address: Address,
	{ proc, isShared }: System,
): Listener {
	const { port, tls, reusePort } = address;
	let isClosing = false;
	const others = socketDescriptors(proc);
	const server = serve(
		app,
		{ ...address, reusePort: reusePort || isShared },
		() => isClosing,
	);
	const [own] = socketDescriptors(proc).filter((one) => !others.includes(one));
	// A socket that was closed may have left its program to the others.
	if (own !== undefined && (reusePort || tls)) void distribute(own);
	return {
		port: server.port ?? port,
		descriptor: own,
		async close(options) {
			isClosing = true;
			let turnedAway: TurnedAway | undefined;
			if (options.drainMs > 0) {
				await pause(options.drainMs, options.hurry);
				if (own !== undefined) turnedAway = await endHandshakes(own, options);
			}
			void server.stop();
			turnedAway?.end();
			await finish(server);
		},
	};
}

/** Turns new connections away, and waits until those have been accepted whose handshake came before. */
async function endHandshakes(
	descriptor: number,
	{ isReplaced = false, hurry }: StopOptions,
): Promise<TurnedAway | undefined> {
	const turnedAway = await turnAway(descriptor, { isReplaced });
	const latest = performance.now() + maxLastHandshakesMs;
	let endsAt = performance.now() + lastHandshakesMs;
	while (turnedAway && performance.now() < endsAt && !hurry?.aborted) {
		await pause(lastHandshakesMs / 10, hurry);
		// Again from the start, if another worker has closed its socket meanwhile.
		if (turnedAway.repeat())
			endsAt = Math.min(performance.now() + lastHandshakesMs, latest);
	}
	return turnedAway;
}

async function pause(ms: number, hurry?: AbortSignal): Promise<void> {
	await sleep(ms, undefined, hurry && { signal: hurry }).catch(() => {});
}

async function finish(server: ReturnType<typeof serve>): Promise<void> {
	const deadline = performance.now() + lastReplyMs;
	while (server.pendingRequests > 0 && performance.now() < deadline)
		await sleep(10);
	// Also closes connections whose request is not complete.
	await server.stop(true);
}

/** An address to listen on. Throws if any other process listens there, even one that would share it. */
export function findFreeAddress({ host, port, tls }: Address): {
	url: string;
	port: number;
} {
	// Closed before the event loop goes on, so it answers no request.
	const server = serve(() => Response.error(), { host, port, tls });
	const found = server.port ?? port;
	void server.stop(true);
	return { url: toUrl({ host, tls }, found), port: found };
}

function serve(
	app: App,
	{ host: hostname, port, tls, reusePort = false }: Address,
	isClosing = noSocket.isClosing,
) {
	try {
		const source: Source = {
			// An IPv4 address has a prefix if the server listens on IPv6 addresses too.
			clientOf: (request) =>
				server.requestIP(request)?.address.replace(/^::ffff:(?=\d+\.)/, ""),
			isClosing,
			allowIdle: (request, ms) =>
				server.timeout(request, Math.ceil((ms + idleMs) / 1000)),
			cut: (request) => cutConnection(request, server),
		};
		const server = Bun.serve({
			hostname,
			port,
			reusePort,
			...(tls && { tls: { cert: tls.cert, key: tls.key } }),
			development: false,
			idleTimeout: idleMs / 1000,
			// The app counts the bytes itself, since Bun answers above this limit without an Error body. Bun takes no larger number.
			maxRequestBodySize: 2 ** 62,
			// Bun adds a Date to every reply but those to HEAD.
			fetch: limitPerIteration((request: Request) =>
				request.method === "HEAD"
					? after(app(request, source), withDate, undefined)
					: app(request, source),
			),
		});
		return server;
	} catch (error) {
		throw toListenError(error, `${hostname}:${port}`);
	}
}

/**
 * Bun resets a connection if the stream of a body fails before its first byte. It sends the head of a reply to HEAD in any case, so such a
 * request gets no reply: Bun closes its connection after the shortest idle timeout, which takes about four seconds.
 */
async function cutConnection(
	request: Request,
	server: { timeout: (request: Request, seconds: number) => void },
): Promise<Response> {
	if (request.method === "HEAD") {
		server.timeout(request, 1);
		await once(request.signal, "abort");
	}
	// Without an error, since Bun would print it.
	return new Response(new ReadableStream({ start: (body) => body.error() }));
}

function withDate(response: Response): Response {
	response.headers.set("Date", new Date().toUTCString());
	return response;
}
