// Listens on an address, renews its certificate, and stops.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Awaitable, after } from "../../async/awaitable.ts";
import { connectionsEndMs, idleMs, lastReplyMs } from "../../limits.ts";
import type { App } from "../app.ts";
import { noSocket, type Source } from "../source.ts";
import { type Address, canSharePort, toListenError, toUrl } from "./address.ts";
import { limitPerIteration } from "./iteration-limit.ts";
import type { Tls } from "./tls.ts";

export type Server = ReturnType<typeof listen>;

export interface StopOptions {
	/** How long the listener stays open. Then it stops accepting, answers the requests that have arrived, and closes. */
	readonly drainMs: number;
	/** Whether another listener, of this or another process, serves at the same address already. */
	readonly isReplaced?: boolean;
	/** Ends draining early. */
	readonly hurry?: AbortSignal;
}

/** `parts` are the first path segments of the app. `canShare`: whether two listeners can share a port. */
export function listen(
	app: App,
	address: Address,
	{
		parts = [],
		canShare = canSharePort(),
	}: { parts?: readonly string[]; canShare?: boolean } = {},
) {
	// Bun cannot change the certificate of a listener, so a renewed one needs a second listener.
	const isShared = address.tls !== undefined && canShare;
	let current = { ...address, reusePort: address.reusePort || isShared };
	let listener = openListener(app, current, parts);
	current.port = listener.port;
	const replaced: Promise<void>[] = [];
	const hurryReplaced = new AbortController();
	let isStopping = false;

	function open(tls: Tls | undefined): void {
		const next = { ...current, tls };
		listener = openListener(app, next, parts);
		current = next;
	}

	function close(old: Listener, drainMs: number): void {
		replaced.push(old.close({ drainMs, hurry: hurryReplaced.signal }));
	}

	return {
		/** See `toUrl`. */
		url: toUrl(address, listener.port),
		/** Gives new connections another certificate. Within `connectionsEndMs`, the old ones are closed after a reply or when idle. */
		renewTls(tls: Tls): void {
			if (isStopping) return;
			const old = listener;
			if (isShared) open(tls);
			close(old, isShared ? connectionsEndMs : 0);
			if (isShared) return;
			// Without a shared port, the old listener must close first, with its connections.
			try {
				open(tls);
			} catch (error) {
				open(current.tls);
				throw error;
			}
		},
		/** Every later reply is the last on its connection. Resolves when all replies are sent, or `lastReplyMs` is over. */
		async stop(options: StopOptions): Promise<void> {
			isStopping = true;
			await listener.close(options);
			hurryReplaced.abort();
			await Promise.all(replaced);
		},
	};
}

type Listener = ReturnType<typeof openListener>;

function openListener(app: App, address: Address, parts: readonly string[]) {
	let isClosing = false;
	const server = serve(app, address, parts, () => isClosing);
	return {
		port: server.port ?? address.port,
		async close({ drainMs, hurry }: StopOptions): Promise<void> {
			isClosing = true;
			if (drainMs > 0)
				await sleep(drainMs, undefined, hurry && { signal: hurry }).catch(
					() => {},
				);
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

/** Throws if an address is in use, or both are the same. Listeners that share a port would not notice. */
export function findFreeAddresses(
	first: Address,
	second?: Address,
): readonly [FreeAddress, FreeAddress | undefined] {
	const one = openForNow(first);
	try {
		const other = second && openForNow(second);
		other?.close();
		return [one, other];
	} finally {
		one.close();
	}
}

type FreeAddress = Pick<ReturnType<typeof openForNow>, "url" | "port">;

/** Answers no request: the caller closes it before the event loop goes on. */
function openForNow(address: Address) {
	const { host, port: asked, tls } = address;
	const server = serve(() => Response.error(), { host, port: asked, tls }, []);
	const port = server.port ?? asked;
	return {
		url: toUrl(address, port),
		port,
		close: () => void server.stop(true),
	};
}

function serve(
	app: App,
	{ host: hostname, port, tls, reusePort = false }: Address,
	parts: readonly string[],
	isClosing = noSocket.isClosing,
) {
	// Bun adds no Date to replies to HEAD.
	const answer = limitPerIteration((request: Request, source: Source) =>
		request.method === "HEAD"
			? after(app(request, source), withDate, undefined)
			: app(request, source),
	);
	try {
		const source: Source = {
			part: undefined,
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

/** Bun routes by the path as it was sent, but resolves dot segments and backslashes in `request.url`. */
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
