// Listening and stopping.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Awaitable, after } from "../../async/awaitable.ts";
import { connectionsEndMs, idleMs, lastReplyMs } from "../../limits.ts";
import type { App } from "../app.ts";
import { noSocket, type Source } from "../exchange.ts";
import { type Address, canSharePort, toListenError, toUrl } from "./address.ts";
import { limitPerIteration } from "./iteration-limit.ts";
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
	/** How long the listener stays open. Then it stops accepting, answers the requests that have arrived, and closes. */
	readonly drainMs: number;
	/** Whether another listener, of this or another process, serves at the same address already. */
	readonly isReplaced?: boolean;
	/** Ends the time to drain. */
	readonly hurry?: AbortSignal;
}

/** `parts` are the first segments of the paths of the app. `canShare` tells whether two listeners can have one port. */
export function listen(
	app: App,
	address: Address,
	{ parts = [], canShare = canSharePort() }: ListenOptions = {},
): Server {
	const replaced = new Set<Promise<void>>();
	const hurryReplaced = new AbortController();
	// Bun cannot change the certificate of a listener, so a renewed one needs a second listener.
	const isShared = address.tls !== undefined && canShare;
	let isStopping = false;
	let current = { ...address, reusePort: address.reusePort || isShared };
	let listener = openListener(app, current, parts);

	function open(next: Pick<Address, "port" | "tls">): void {
		const opened = { ...current, ...next };
		listener = openListener(app, opened, parts);
		current = opened;
	}

	function close({ close }: Listener, drainMs: number): void {
		const closed = close({ drainMs, hurry: hurryReplaced.signal });
		replaced.add(closed);
		void closed.then(() => replaced.delete(closed));
	}

	/** The port is free only when the old listener is closed, with its connections. */
	function reopen(next: Pick<Address, "port" | "tls">): void {
		close(listener, 0);
		try {
			open(next);
		} catch (error) {
			open({ port: next.port });
			throw error;
		}
	}

	return {
		url: toUrl(address, listener.port),
		renewTls(tls) {
			if (isStopping) return;
			const old = listener;
			const next = { port: old.port, tls };
			if (!isShared) return reopen(next);
			open(next);
			close(old, connectionsEndMs);
		},
		async stop(options) {
			isStopping = true;
			await listener.close(options);
			hurryReplaced.abort();
			await Promise.all(replaced);
		},
	};
}

interface ListenOptions {
	readonly parts?: readonly string[];
	readonly canShare?: boolean;
}

interface Listener {
	readonly port: number;
	readonly close: (options: StopOptions) => Promise<void>;
}

function openListener(
	app: App,
	address: Address,
	parts: readonly string[],
): Listener {
	let isClosing = false;
	const server = serve(app, address, parts, () => isClosing);
	return {
		port: server.port ?? address.port,
		async close({ drainMs, hurry }) {
			isClosing = true;
			if (drainMs > 0) await pause(drainMs, hurry);
			// This also closes connections that have no request.
			void server.stop();
			await finish(server);
		},
	};
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

/** Two addresses to listen on, or one. Throws if any other process listens there, or if both are the same: listeners that may share their port would. */
export function findFreeAddresses(
	first: Address,
	second?: Address,
): [FreeAddress, FreeAddress?] {
	const one = openForNow(first);
	try {
		const other = second && openForNow(second);
		other?.close();
		return other ? [one.found, other.found] : [one.found];
	} finally {
		one.close();
	}
}

/** Closed before the event loop goes on, it answers no request. */
function openForNow({ host, port, tls }: Address) {
	const server = serve(() => Response.error(), { host, port, tls }, []);
	const found = server.port ?? port;
	return {
		found: { url: toUrl({ host, tls }, found), port: found },
		close: () => void server.stop(true),
	};
}

interface FreeAddress {
	readonly url: string;
	readonly port: number;
}

function serve(
	app: App,
	{ host: hostname, port, tls, reusePort = false }: Address,
	parts: readonly string[],
	isClosing = noSocket.isClosing,
) {
	// Bun adds a Date to every reply but those to HEAD.
	const answer = limitPerIteration((request: Request, source: Source) =>
		request.method === "HEAD"
			? after(app(request, source), withDate, undefined)
			: app(request, source),
	);
	try {
		const source: Source = {
			part: undefined,
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
			routes: toRoutes(parts, (part) => {
				const own = { ...source, part };
				return (request) => answer(request, own);
			}),
			fetch: (request: Request) => answer(request, source),
		});
		return server;
	} catch (error) {
		throw toListenError(error, `${hostname}:${port}`);
	}
}

/** Bun resolves dot segments and backslashes in the URL of a request, but chooses its route by the path as it was sent. */
function toRoutes(
	parts: readonly string[],
	toHandler: (part: string) => (request: Request) => Awaitable<Response>,
): Record<string, (request: Request) => Awaitable<Response>> {
	if (parts.length === 0) return {};
	return Object.fromEntries([
		...parts.flatMap((part) => {
			const handler = toHandler(part);
			return [`/${part}`, `/${part}/*`].map((path) => [path, handler]);
		}),
		["/*", toHandler("")],
	]);
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
