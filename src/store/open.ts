// A database URL to its engine, which is loaded only when it is asked for.
import { OperatorError } from "../contract/errors.ts";
import type { Store } from "./store.ts";

export const defaultPoolSize = 4;

export async function openStore(
	url: string,
	options: {
		/** Whether to make what is not there yet. */
		create: boolean;
		/** Connections to PostgreSQL at most. */
		poolSize?: number;
	},
): Promise<Store> {
	if (isPostgres(url)) {
		const { openPostgres } = await import("./postgres/catalogue.ts");
		const { create, poolSize = defaultPoolSize } = options;
		return openPostgres(url, { create, poolSize });
	}
	if (isEmbedded(url)) {
		const { openSqlite } = await import("./sqlite/engine.ts");
		return openSqlite(url.slice("sqlite:".length), options.create);
	}
	throw new OperatorError(
		"The database must be given as sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.",
		2,
	);
}

/** Whether the database belongs to this machine, so that its first key is this process's to make. */
export function isEmbedded(url: string): boolean {
	// Two slashes would look like a host.
	return /^sqlite:(?!\/\/[^/])./s.test(url);
}

function isPostgres(url: string): boolean {
	return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}

/** The URL without its password, which may also stand in its query. */
export function toPublicUrl(url: string): string {
	if (!isPostgres(url)) return url;
	const shown = new URL(url);
	if (shown.password !== "") shown.password = "***";
	shown.search = "";
	return shown.href;
}
