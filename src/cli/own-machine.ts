// Requests to a service on this machine.
import { isLoopback } from "../http/server/address.ts";
import { ignoreProxies } from "./environment.ts";

/** A proxy cannot reach the loopback address of this machine. */
export function ignoreProxiesOnLoopback(url: string): void {
	const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
	if (isLoopback(host)) ignoreProxies();
}
