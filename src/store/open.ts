// Opens the store for a database URL. An engine is loaded only if it is used.
import { OperatorError } from "../contract/errors.ts";
import { defaultPoolSize } from "../limits.ts";
import type { Store } from "./store.ts";

export interface StoreOptions {
	/** Whether to create a database that is not there yet. */
	readonly create: boolean;
	/** Connections to PostgreSQL at most. */
	readonly poolSize?: number;
}

export async function openStore(
	url: string,
	{ create, poolSize = defaultPoolSize }: StoreOptions,
): Promise<Store> {
	if (isPostgres(url)) {
		const { openPostgres } = await import("./postgres/engine.ts");
		return openPostgres(url, { create, poolSize });
	}
	if (isEmbedded(url)) {
		const { openSqlite } = await import("./sqlite/engine.ts");
		return openSqlite(url.slice("sqlite:".length), { create });
	}
	throw new OperatorError(
		"The database must be given as sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.",
		2,
	);
}

/** Whether the database belongs to this machine alone. */
export function isEmbedded(url: string): boolean {
	// `sqlite://name` is not: the name would look like a host.
	return /^sqlite:(?!\/\/[^/])./s.test(url);
}

function isPostgres(url: string): boolean {
	return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}

/** The URL without its password, which may also be in its query. */
export function toPublicUrl(url: string): string {
	if (!isPostgres(url)) return url;
	const shown = new URL(url);
	if (shown.password !== "") shown.password = "***";
	shown.search = "";
	return shown.href;
}
