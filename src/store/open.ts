// A database URL to its engine, which is loaded only when it is asked for.
import { OperatorError } from "../errors.ts";
import type { Store } from "./store.ts";

/** Without `create`, an embedded database must be there already. */
export async function openStore(
	url: string,
	{ create }: { create: boolean },
): Promise<Store> {
	const [, scheme, rest = ""] = /^([a-z]+):(.*)$/s.exec(url) ?? [];
	if (scheme === "sqlite" && /^(?!\/\/[^/]).+/s.test(rest)) {
		const { openSqlite } = await import("./sqlite.ts");
		return openSqlite(rest, create);
	}
	throw new OperatorError(
		"The database must be given as sqlite:PATH or sqlite::memory:.",
		2,
	);
}

/** Whether the database lives in this process, so that nobody else can have made a key for it yet. */
export function isEmbedded(url: string): boolean {
	return url.startsWith("sqlite:");
}
