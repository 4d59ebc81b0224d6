// Who may call the sandbox. Its key is public, so by default its control and operator paths are only for this machine.
import type { FixedKey } from "../auth/keys.ts";
import { isLocalHost } from "../auth/site.ts";
import { Failure, OperatorError } from "../domain/errors.ts";
import { type Address, toUrlHost } from "../http/address.ts";

/** Not a secret. */
export const defaultKey = "sandbox";

export interface AccessOptions {
	readonly key?: string | undefined;
	/** Host names that requests may use besides this machine; `*` is any. */
	readonly allowHosts?: readonly string[] | undefined;
}

export function createAccess(
	{ key = defaultKey, allowHosts = [] }: AccessOptions,
	address: Address,
) {
	const host = toUrlHost(address.host);
	const isOpen = allowHosts.length > 0;
	if (!isOpen && !isLocalHost(host))
		throw new OperatorError(
			`The sandbox must not listen on ${host} without --allow-host: its key is public. Use 127.0.0.1, ::1 or localhost, or name the hosts that clients use, for example --allow-host petstore.`,
			2,
		);
	const places = toPlaces(allowHosts);
	const names = places.map((place) => toName(`http://${place}`));

	function isAllowed(url: string): boolean {
		const name = toName(url);
		return !!name && (allowHosts.includes("*") || names.includes(name));
	}

	/** Prevents DNS rebinding: a page of another site could reach the sandbox under its own name. */
	function admits({ headers }: Request): boolean {
		const origin = headers.get("origin");
		return (
			isAllowed(`http://${headers.get("host")}`) &&
			(origin === null || isAllowed(origin))
		);
	}

	return {
		key: { key, id: defaultKey, scope: "operator" } satisfies FixedKey,
		/** Control paths need the key if other machines can call them. */
		needsKey: isOpen,
		/** Pages show the key unless it is secret: with `allowHosts`, any machine could read them. */
		shownKey: isOpen && key !== defaultKey ? undefined : key,
		admits,
		admit(request: Request): void {
			if (!admits(request))
				throw new Failure(
					"forbidden",
					`The Host of a request to the sandbox, and its Origin, must be one of ${places.join(", ")}.`,
				);
		},
	};
}

/** The hosts that requests may use. */
export function toPlaces(allowHosts: readonly string[]): readonly string[] {
	return ["localhost", "127.0.0.1", "::1", ...allowHosts].map(toUrlHost);
}

/** Without its port; an IPv6 address is in brackets. */
function toName(url: string): string | undefined {
	return URL.parse(url)?.hostname;
}
