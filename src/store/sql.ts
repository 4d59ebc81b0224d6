// The SQL that both engines understand. What they do in the same way is written with it, once.
import type { Awaitable } from "../async/awaitable.ts";
import type { EngineRow } from "./tables.ts";

/** Runs a statement with tables as `petstore.pets` and values as `$1`. */
export type Sql = (
	text: string,
	values?: readonly (string | number | bigint | null)[],
) => Awaitable<readonly EngineRow[]>;
