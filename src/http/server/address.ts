// Where a server listens, as settings, as a URL and in messages.
import { OperatorError, toReason } from "../../domain/errors.ts";
import { type Tls, toCertifiedHost } from "./tls.ts";

export interface Address {
	readonly host: string;
	readonly port: number;
	/** Without it the server speaks plain HTTP. */
	readonly tls?: Tls | undefined;
	/** Whether other copies may listen there too. Linux distributes the connections, other systems refuse the second copy. */
	readonly reusePort?: boolean | undefined;
}

/** Whether only this machine can connect there, judged by the text alone. A URL has brackets around ::1. */
export function isLoopback(host: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** The URL for callers on this machine. With TLS it has a name of the certificate, which may lead elsewhere. */
export function toUrl(
	{ host, tls }: { host: string; tls?: Pick<Tls, "cert"> | undefined },
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

export function toUrlHost(host: string): string {
	return host.includes(":") ? `[${host}]` : host;
}

/** Wildcard addresses, and the address to call instead. */
const anyAddress: Readonly<Record<string, string>> = {
	"0.0.0.0": "127.0.0.1",
	"::": "::1",
};

/** Says why listening failed, and what to do. */
export function toListenError(error: unknown, address: string): unknown {
	if (!(error instanceof Error)) return error;
	const code = "code" in error ? String(error.code) : "";
	const reason = listenProblems[code] ?? toOtherReason(error, code);
	return new OperatorError(`Cannot listen on ${address}: ${reason}.`);
}

/** For a host name that is not found, Bun gives unrelated codes. */
function toOtherReason(error: Error, code: string): string {
	return /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|ERR_(?!INVALID))/.test(code)
		? toReason(error)
		: `the host was not found; ${chooseHost}`;
}

const chooseHost =
	"choose another host with --host (or --operator-address of serve)";
const choosePort =
	"choose another port with --port (or --operator-address of serve)";

const listenProblems: Readonly<Record<string, string>> = {
	EADDRINUSE: `the port is in use; stop the other program, or ${choosePort}`,
	EACCES: `ports below 1024 need a privilege; ${choosePort}`,
	EADDRNOTAVAIL: `this machine does not have this address; ${chooseHost}`,
};
