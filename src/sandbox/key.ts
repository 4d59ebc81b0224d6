// The API key of the sandbox, which everybody knows, and what it allows.
import { hashKey } from "../contract/api-key.ts";
import type { Identity } from "../http/surface.ts";

export const sandboxKey = "sandbox";

const identity: Identity = {
	keyHash: hashKey(sandboxKey),
	keyId: sandboxKey,
	scope: "read-write",
};

/** Undefined if the request has another key or none. The key is no secret, so it need not be compared by its hash. */
export function findSandboxIdentity({
	headers,
}: Request): Identity | undefined {
	const [, key] =
		/^bearer +(.*)$/i.exec(headers.get("authorization") ?? "") ?? [];
	return key === sandboxKey ? identity : undefined;
}
