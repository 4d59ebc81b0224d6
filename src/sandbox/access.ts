// Who may call the sandbox. Its key is public, so by default its control and operator paths are only for this machine.
import type { FixedKey } from "../auth/keys.ts";
import { isLocalHost } from "../auth/site.ts";
import { Failure } from "../domain/errors.ts";

/** Not a secret. */
export const defaultKey = "sandbox";

export interface AccessOptions {
	readonly key?: string | undefined;
	/** Host names that requests may use besides this machine; `*` is any. */
	readonly allowHosts?: readonly string[] | undefined;
}

export type Access = ReturnType<typeof createAccess>;

export function createAccess({
	key = defaultKey,
	allowHosts = [],
}: AccessOptions) {
	const names = allowHosts.map(toName);
	const isAny = names.includes("*");

	function isAllowed(host: string): boolean {
		return isLocalHost(host) || isAny || names.includes(toName(host));
	}

	function isAllowedOrigin(origin: string): boolean {
		const [, host] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
		return host !== undefined && isAllowed(host);
	}

	const places = ["localhost", "127.0.0.1", "[::1]", ...allowHosts].join(", ");
	return {
		key: { key, id: defaultKey, scope: "operator" } satisfies FixedKey,
		/** Control paths need the key if other machines can call them. */
		needsKey: allowHosts.length > 0,
		/** Pages then hide the key, since any machine could read them. */
		isKeySecret: allowHosts.length > 0 && key !== defaultKey,
		/** Prevents DNS rebinding: a page of another site could reach the sandbox under its own name. */
		admit({ headers }: Request): void {
			if (!isAllowed(headers.get("host") ?? ""))
				throw new Failure(
					"forbidden",
					`The Host of a request to the sandbox must be one of ${places}.`,
				);
			const origin = headers.get("origin");
			if (origin !== null && !isAllowedOrigin(origin))
				throw new Failure(
					"forbidden",
					`The Origin of a request to the sandbox must be at one of ${places}.`,
				);
		},
		/** Lets scripts of an allowed origin read the reply (CORS). */
		allowOrigin({ headers }: Request, response: Response): void {
			if (!response.headers.get("Vary")?.includes("Origin"))
				response.headers.append("Vary", "Origin");
			const origin = headers.get("origin");
			if (origin !== null && isAllowedOrigin(origin))
				response.headers.set("Access-Control-Allow-Origin", origin);
		},
	};
}

/** Of a host as it is in a URL, or as people write it: without its port, and an IPv6 address in brackets. */
function toName(host: string): string {
	const name = host.toLowerCase();
	return /^[^[]*:.*:/.test(name) ? `[${name}]` : name.replace(/:\d{1,5}$/, "");
}
