// Whether the scope of a key suffices.
import { includesScope } from "../contract/api-key.ts";
import { Failure } from "../contract/errors.ts";
import type { KeyScope } from "../contract/key-scope.ts";

/** Throws `forbidden` if a key with this scope may not do what needs the other. */
export function requireScope(scope: KeyScope, needed: KeyScope): void {
	if (!includesScope(scope, needed))
		throw new Failure("forbidden", toScopeMessage(scope, needed));
}

function toScopeMessage(scope: KeyScope, needed: KeyScope): string {
	return scope === "read" && needed === "read-write"
		? "The API key may only read."
		: `The API key needs the scope ${needed}; its scope is ${scope}.`;
}
