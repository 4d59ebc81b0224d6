// The SQL that both engines understand. What they do in the same way is written with it, once.
import type { Awaitable } from "../async/awaitable.ts";
import type { EngineRow } from "./tables.ts";

/** How the requests of a service run statements, each in a transaction of its own. */
export interface SqlRequests {
	readonly read: (
		...statement: Parameters<Sql>
	) => Promise<readonly EngineRow[]>;
	readonly write: SqlRequests["read"];
}

/** Runs a statement with tables as `petstore.pets` and values as `$1`. */
export type Sql = (
	text: string,
	values?: readonly (string | number | bigint | null)[],
) => Awaitable<readonly EngineRow[]>;
