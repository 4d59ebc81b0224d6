// Listens on an address, and stops.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../domain/async.ts";
import { idleMs, lastReplyMs } from "../limits.ts";
import { type Address, toListenError, toUrl } from "./address.ts";
import type { App } from "./app.ts";
import { noSocket, type Source } from "./surface.ts";

export type Server = ReturnType<typeof listen>;

/** `firstSegments` are those of all paths of the app. */
export function listen(
	app: App,
	address: Address,
	firstSegments: string[] = [],
) {
	let isClosing = false;
	const server = serve(app, address, firstSegments, () => isClosing);
	return {
		/** See `toUrl`. */
		url: toUrl(address, server.port),
		/** Every later reply is the last on its connection. Accepts connections for `drainMs`, then sends the last replies. */
		async stop(drainMs: number): Promise<void> {
			isClosing = true;
			if (drainMs > 0) await sleep(drainMs);
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

/** Throws if an address or its certificate cannot be used, or both addresses are the same. */
export function requireFree(...addresses: Address[]): void {
	const servers: { stop: (closesAll: boolean) => Promise<void> }[] = [];
	try {
		// At a shared port, a client could connect in this moment and would be reset.
		for (const address of addresses)
			if (!address.reusePort)
				servers.push(serve(() => Response.error(), address, []));
	} finally {
		// They answer no request, because the event loop has not gone on.
		for (const server of servers) void server.stop(true);
	}
}

function serve(
	app: App,
	address: Address,
	firstSegments: readonly string[],
	isClosing = noSocket.isClosing,
) {
	const { host: hostname, port, tls, reusePort = false } = address;
	// Bun adds no Date to replies to HEAD.
	const answer = (request: Request, source: Source) =>
		request.method === "HEAD"
			? Promise.resolve(app(request, source)).then(withDate)
			: app(request, source);
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
			...(tls && { tls }),
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
		throw toListenError(error, address);
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
