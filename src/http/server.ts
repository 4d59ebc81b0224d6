// Listening and stopping: the only file that knows sockets.
import { setTimeout as sleep } from "node:timers/promises";
import { after } from "../async/awaitable.ts";
import { OperatorError } from "../contract/errors.ts";
import { idleMs, lastReplyMs } from "../limits.ts";
import type { App, ClientOf } from "./app.ts";
import { toCertifiedHost } from "./certified-host.ts";
import { limitPerIteration } from "./iteration-limit.ts";
import type { Tls } from "./tls.ts";

export interface Server {
	/** Where to call it from this machine. With TLS, a name that the certificate is for, which may lead elsewhere. */
	readonly url: string;
	/** Resolves when the listener is closed and all replies are sent, or their time is over. */
	readonly stop: () => Promise<void>;
}

export interface Address {
	readonly host: string;
	readonly port: number;
	/** Without it the server speaks plain HTTP. */
	readonly tls?: Tls | undefined;
	/** Whether other processes of ours listen there too. Linux distributes the connections. */
	readonly reusePort?: boolean;
}

export function listen(app: App, address: Address): Server {
	const server = serve(app, address);
	return {
		url: toUrl(address, server.port),
		async stop() {
			void server.stop();
			const deadline = performance.now() + lastReplyMs;
			while (server.pendingRequests > 0 && performance.now() < deadline)
				await sleep(10);
			// Also closes connections whose request is not complete.
			await server.stop(true);
		},
	};
}

/** The address that several processes are going to share. Throws if any other process listens there, even one that would share it. */
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

/** Whether only this machine can connect there, judged by the text alone. */
export function isLoopback(host: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

function serve(
	app: App,
	{ host: hostname, port, tls, reusePort = false }: Address,
) {
	try {
		// An IPv4 address has a prefix if the server listens on IPv6 addresses too.
		const clientOf: ClientOf = (request) =>
			server.requestIP(request)?.address.replace(/^::ffff:(?=\d+\.)/, "");
		const server = Bun.serve({
			hostname,
			port,
			reusePort,
			...(tls && { tls }),
			development: false,
			idleTimeout: idleMs / 1000,
			// The app counts the bytes itself, since Bun answers above this limit without an Error body. Bun takes no larger number.
			maxRequestBodySize: 2 ** 62,
			// Bun adds a Date to every reply but those to HEAD.
			fetch: limitPerIteration((request: Request) =>
				request.method === "HEAD"
					? after(app(request, clientOf), withDate, undefined)
					: app(request, clientOf),
			),
		});
		return server;
	} catch (error) {
		throw toOperatorError(error, `${hostname}:${port}`);
	}
}

function withDate(response: Response): Response {
	response.headers.set("Date", new Date().toUTCString());
	return response;
}

function toOperatorError(error: unknown, address: string): unknown {
	if (!(error instanceof Error)) return error;
	const code = "code" in error ? String(error.code) : "";
	const reason =
		listenProblems[code] ?? "there is no such host; choose another with --host";
	return new OperatorError(`Cannot listen on ${address}: ${reason}.`);
}

const listenProblems: Readonly<Record<string, string>> = {
	EADDRINUSE:
		"another process does already; stop it, or choose another port with --port",
	EACCES: "ports below 1024 need a privilege; choose another with --port",
	EADDRNOTAVAIL: "this machine has no such address; choose another with --host",
};

function toUrl(
	{ host, tls }: Pick<Address, "host" | "tls">,
	port: number | undefined,
): string {
	const reachable = toReachableHost(host);
	if (tls === undefined) return `http://${toUrlHost(reachable)}:${port}`;
	const alias = isLoopback(reachable) ? "localhost" : reachable;
	const certified = toCertifiedHost(tls.cert, reachable, alias);
	return `https://${toUrlHost(certified)}:${port}`;
}

/** The host to connect to for a service that listens on this one. */
export function toReachableHost(host: string): string {
	return anyAddress[host] ?? host;
}

/** The host as it is written in a URL. */
export function toUrlHost(host: string): string {
	return host.includes(":") ? `[${host}]` : host;
}

/** Addresses that stand for all of the machine's, and the one to call instead. */
const anyAddress: Readonly<Record<string, string>> = {
	"0.0.0.0": "127.0.0.1",
	"::": "::1",
};
