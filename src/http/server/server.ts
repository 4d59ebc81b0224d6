// Listens on an address, renews its certificate, and stops.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Awaitable, after } from "../../async/awaitable.ts";
import { connectionsEndMs, idleMs, lastReplyMs } from "../../limits.ts";
import type { App } from "../app.ts";
import { noSocket, type Source } from "../source.ts";
import { type Address, toListenError, toUrl, toUrlHost } from "./address.ts";
import { limitPerIteration } from "./iteration-limit.ts";
import type { Tls } from "./tls.ts";

export type Server = ReturnType<typeof listen>;

/** `firstSegments` are those of all paths of the app. */
export function listen(
	app: App,
	address: Address,
	firstSegments: string[] = [],
) {
	let listener = openListener(app, address, firstSegments);
	const own = { ...address, port: listener.port };
	/** The certificate of the listener, and the one that it is to have. */
	let [served, latest] = [address.tls, address.tls];
	let renewals = Promise.resolve();
	const stopping = new AbortController();

	/** Bun cannot change the certificate of a listener, and only one listener can have the port. */
	async function replace(drainMs: number): Promise<void> {
		if (served === latest) return;
		const old = listener;
		await old.drain(drainMs, stopping.signal);
		if (stopping.signal.aborted) return;
		// The port is free as soon as the call returns.
		const closed = old.close();
		served = latest;
		listener = openListener(app, { ...own, tls: latest }, firstSegments);
		await closed;
	}

	return {
		/** See `toUrl`. */
		url: toUrl(address, listener.port),
		/** For `drainMs`, every reply closes its connection. Then new connections get the other certificate. */
		async renewTls(tls: Tls, drainMs = connectionsEndMs): Promise<void> {
			// If Bun cannot use it, or the machine no longer has the address, this throws while the listener is still open.
			openForNow({ ...own, port: 0, tls }).close();
			latest = tls;
			const renewed = renewals.then(() => replace(drainMs));
			renewals = renewed.catch(() => {});
			return renewed;
		},
		/** Every later reply is the last on its connection. Accepts connections for `drainMs`, then sends the last replies. */
		async stop(drainMs: number): Promise<void> {
			stopping.abort();
			await listener.drain(drainMs);
			await Promise.all([listener.close(), renewals]);
		},
	};
}

function openListener(app: App, address: Address, firstSegments: string[]) {
	let isClosing = false;
	const server = serve(app, address, firstSegments, () => isClosing);
	return {
		port: server.port ?? address.port,
		/** From now on every reply closes its connection. */
		async drain(ms: number, hurry?: AbortSignal): Promise<void> {
			isClosing = true;
			if (ms > 0)
				await sleep(ms, undefined, hurry && { signal: hurry }).catch(() => {});
		},
		async close(): Promise<void> {
			// This also closes connections that have no request.
			void server.stop();
			const deadline = performance.now() + lastReplyMs;
			while (server.pendingRequests > 0 && performance.now() < deadline)
				await sleep(10);
			// Also closes connections whose request is not complete.
			await server.stop(true);
		},
	};
}

/** Throws if an address is in use, or both are the same. */
export function requireFree(...addresses: Address[]): void {
	const opened: { close: () => void }[] = [];
	try {
		// At a shared port, a client could connect in this moment and would be reset.
		for (const address of addresses)
			if (!address.reusePort) opened.push(openForNow(address));
	} finally {
		for (const { close } of opened) close();
	}
}

/** Answers no request: the caller closes it before the event loop goes on. */
function openForNow(address: Address) {
	const server = serve(() => Response.error(), address, []);
	return { close: () => void server.stop(true) };
}

function serve(
	app: App,
	address: Address,
	firstSegments: readonly string[],
	isClosing = noSocket.isClosing,
) {
	const { host: hostname, port, tls, reusePort = false } = address;
	// Bun adds no Date to replies to HEAD.
	const answer = limitPerIteration((request: Request, source: Source) =>
		request.method === "HEAD"
			? after(app(request, source), withDate, undefined)
			: app(request, source),
	);
	try {
		const source: Source = {
			url: () => toUrl(address, server.port),
			firstSegment: undefined,
			// A socket for IPv6 and IPv4 puts a prefix before IPv4 addresses.
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
			// The largest number that Bun takes. The app counts the bytes, since Bun's own refusal has no Error body.
			maxRequestBodySize: 2 ** 62,
			routes: toRoutes(firstSegments, (firstSegment) => {
				const own = { ...source, firstSegment };
				return (request) => answer(request, own);
			}),
			fetch: (request: Request) => answer(request, source),
		});
		return server;
	} catch (error) {
		throw toListenError(error, `${toUrlHost(hostname)}:${port}`);
	}
}

/** Bun routes by the path as it was sent, but resolves dot segments and backslashes in `request.url`. */
function toRoutes(
	firstSegments: readonly string[],
	toHandler: (first: string) => (request: Request) => Awaitable<Response>,
): Record<string, (request: Request) => Awaitable<Response>> {
	if (firstSegments.length === 0) return {};
	return Object.fromEntries([
		...firstSegments.flatMap((first) => {
			const handler = toHandler(first);
			return [`/${first}`, `/${first}/*`].map((path) => [path, handler]);
		}),
		["/*", toHandler("")],
	]);
}

/**
 * Bun resets a connection if the stream of a body fails before its first byte. For HEAD, Bun would still send the head of the reply. So a
 * HEAD gets no reply: Bun closes its connection after the shortest idle timeout, about four seconds.
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
