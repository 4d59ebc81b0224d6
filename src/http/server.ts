// Listens on an address, and stops.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { errorStatus, toErrorBody, unavailable } from "../domain/errors.ts";
import { type Address, toListenError, toUrl } from "./address.ts";
import type { App } from "./app.ts";
import type { Source } from "./surface.ts";

/** Time for the last replies when the service stops. */
export const lastReplyMs = 10_000;

/** Bun closes a connection after this time without a byte, and sends no reply. */
export const idleMs = 10_000;

export type Server = ReturnType<typeof listen>;

/** Every request gets a 503 until `serve` is called. */
export function listen(address: Address) {
	let isClosing = false;
	const server = open(address);
	const source: Source = {
		url: () => toUrl(address, server.port),
		part: undefined,
		// A socket for IPv6 and IPv4 puts a prefix before IPv4 addresses.
		clientOf: (request) =>
			server.requestIP(request)?.address.replace(/^::ffff:(?=\d+\.)/, ""),
		isClosing: () => isClosing,
		allowIdle: (request, ms) =>
			server.timeout(request, Math.ceil((ms + idleMs) / 1000)),
		cut: (request) => cutConnection(request, server),
	};
	return {
		/** See `toUrl`. */
		url: toUrl(address, server.port),
		/** Bun routes by the path as it was sent, but resolves dot segments and backslashes in `request.url`. */
		serve({ answer, parts }: App): void {
			const routes = Object.fromEntries(
				[...parts].flatMap((part) => {
					const ofPart = { ...source, part };
					const handle = (request: Request) => answer(request, ofPart);
					const paths = part === "" ? ["/*"] : [`/${part}`, `/${part}/*`];
					return paths.map((path) => [path, handle]);
				}),
			);
			server.reload({ routes, fetch: (request) => answer(request, source) });
		},
		/** Every later reply is the last on its connection. Accepts connections for `drainMs`, then sends the last replies. */
		async stop(drainMs: number): Promise<void> {
			isClosing = true;
			// At least a turn of the event loop, which reads the requests that have arrived.
			await sleep(Math.max(drainMs, 1));
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

/** Of TLS 1.2: those of Mozilla's intermediate profile that Bun has. By default it also takes CBC, and RSA without forward secrecy. */
const ciphers = ["AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"]
	.flatMap((cipher) => [`ECDHE-ECDSA-${cipher}`, `ECDHE-RSA-${cipher}`])
	.join(":");

function open(address: Address) {
	const { host: hostname, port, tls, reusePort = false } = address;
	try {
		return Bun.serve({
			hostname,
			port,
			reusePort,
			...(tls && { tls: { ...tls, ciphers } }),
			development: false,
			idleTimeout: idleMs / 1000,
			// The largest number that Bun takes. The app counts the bytes, since Bun's own refusal has no Error body.
			maxRequestBodySize: 2 ** 62,
			fetch: toStartingReply,
		});
	} catch (error) {
		throw toListenError(error, address);
	}
}

/** While the store is opened. */
function toStartingReply(): Response {
	const failure = unavailable("The service is starting; try again.");
	return new Response(toErrorBody(failure), {
		status: errorStatus[failure.code],
		headers: { ...failure.headers, "Content-Type": "application/json" },
	});
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
