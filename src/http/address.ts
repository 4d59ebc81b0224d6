// Where a server listens, as settings, as a URL and in messages.
import { OperatorError } from "../contract/errors.ts";
import type { Tls } from "./tls.ts";

export interface Address {
	readonly host: string;
	readonly port: number;
	/** Without it the server speaks plain HTTP. */
	readonly tls?: Tls | undefined;
	/** Whether other processes of ours listen there too. Linux distributes the connections. */
	readonly reusePort?: boolean;
}

/** Whether only this machine can connect there, judged by the text alone. */
export function isLoopback(host: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Where to call it from this machine. */
export function toUrl(
	{ host, tls }: Pick<Address, "host" | "tls">,
	port: number | undefined,
): string {
	const reachable = anyAddress[host] ?? host;
	return `${tls ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Addresses that stand for all of the machine's, and the one to call instead. */
const anyAddress: Readonly<Record<string, string>> = {
	"0.0.0.0": "127.0.0.1",
	"::": "::1",
};

/** Says why it is not possible to listen there, and what to do. */
export function toListenError(error: unknown, address: string): unknown {
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
