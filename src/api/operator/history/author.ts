// The author and time of a change.
import { ofLink } from "../../../auth/session-auth.ts";
import type { Authored } from "../../../domain/author.ts";
import type { Identity } from "../../../http/surface.ts";

export function toAuthored({ keyId, name }: Identity): Authored {
	const at = Date.now();
	if (keyId === ofLink) return { by: { kind: "link", name }, at };
	const key = { kind: "key", id: `${keyId}`, name } as const;
	// A key that is not stored has only a name.
	return {
		by: typeof keyId === "number" ? key : { kind: "key", name: keyId },
		at,
	};
}
