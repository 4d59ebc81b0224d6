// Where a server listens, as settings, as a URL and in messages.
import { OperatorError, toReason } from "../domain/errors.ts";

export interface Address {
	readonly host: string;
	readonly port: number;
	/** Certificate with its chain, and key, in PEM form. Without it the server speaks plain HTTP. */
	readonly tls?: { readonly cert: string; readonly key: string } | undefined;
	/** Whether other copies may listen there too. Linux distributes the connections, other systems refuse the second copy. */
	readonly reusePort?: boolean | undefined;
}

/** Whether only this machine can connect there, judged by the text alone. A URL has brackets around ::1. */
export function isLoopback(host: string): boolean {
	return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** The URL for callers on this machine. */
export function toUrl(
	{ host, tls }: { host: string; tls?: unknown },
	port: number | undefined,
): string {
	const scheme = tls === undefined ? "http" : "https";
	return `${scheme}://${toUrlHost(toCalledHost(host))}:${port}`;
}

/** For a wildcard address, one that it includes. A socket on `::` also has the IPv4 addresses, and often a container has no others. */
function toCalledHost(host: string): string {
	if (host !== "0.0.0.0" && host !== "::") return host;
	const { networkInterfaces } = process.getBuiltinModule("node:os");
	const own = Object.values(networkInterfaces()).flat();
	const hasIpv6 = own.some((one) => one?.address === "::1");
	return host === "::" && hasIpv6 ? "::1" : "127.0.0.1";
}

export function toUrlHost(host: string): string {
	return host.includes(":") ? `[${host}]` : host;
}

/** Says why listening failed, and what to do. */
export function toListenError(error: unknown, { host, port }: Address) {
	if (!(error instanceof Error)) return error;
	const code = "code" in error ? String(error.code) : "";
	if (code.startsWith("ERR_OSSL"))
		return new OperatorError(
			`The TLS certificate and key cannot be used (${code}): both must be PEM files that belong together, the key without a passphrase.`,
		);
	// For a host name that is not found, Bun gives unrelated codes.
	const reason =
		listenProblems[code] ?? `${toReason(error)}; is the host right?`;
	const address = `${toUrlHost(host)}:${port}`;
	return new OperatorError(`Cannot listen on ${address}: ${reason}.`);
}

const choosePort =
	"choose another port with --port (or --operator-address of serve)";

const listenProblems: Readonly<Record<string, string>> = {
	EADDRINUSE: `the port is in use; stop the other program, or ${choosePort}`,
	EACCES: `ports below 1024 need a privilege; ${choosePort}`,
	EADDRNOTAVAIL:
		"this machine does not have this address; choose another host with --host, for example 127.0.0.1 or ::1 (or --operator-address of serve)",
};
