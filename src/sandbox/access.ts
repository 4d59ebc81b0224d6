// Who may call the sandbox. Its key is public, so by default its control and operator paths are only for this machine.
import type { FixedKey } from "../auth/keys.ts";
import { Failure } from "../domain/errors.ts";
import { toUrlHost } from "../http/address.ts";

/** Not a secret. */
export const defaultKey = "sandbox";

export interface AccessOptions {
	readonly key?: string | undefined;
	/** Host names that requests may use besides this machine; `*` is any. */
	readonly allowHosts?: readonly string[] | undefined;
}

export function createAccess({
	key = defaultKey,
	allowHosts = [],
}: AccessOptions) {
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
		needsKey: allowHosts.length > 0,
		/** Pages show the key unless it is secret: with `allowHosts`, any machine could read them. */
		shownKey: allowHosts.length > 0 && key !== defaultKey ? undefined : key,
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
