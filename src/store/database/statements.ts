// The statements of the store, and their costs. test/store/statements.slow.test.ts compares what they visit in catalogues of two sizes.

import type { TableName } from "./tables.ts";

/**
 * What a statement visits: "constant" a table that always has one row; "logarithmic" the rows of a few keys; "page" as many rows as were
 * asked for or given, or as a limit of ours allows; "whole" all rows of a table that grows.
 */
export type Cost = "constant" | "logarithmic" | "page" | "whole";

export const statements = {
	"read state": "constant",
	"move state": "constant",
	"read deltas": "page",
	"delete empty counts": "page",
	"delete folded states": "page",
	"read clock": "constant",
	describe: "constant",

	"get animals": "page",
	"list animals": "page",
	"add animals": "page",
	"find Idempotency-Keys": "page",
	"delete animals": "page",
	"read totals": "constant",
	"count category": "page",

	"find newest id": "logarithmic",
	"search animals": "page",
	"export animals": "page",

	"read feed": "page",
	"read what changed": "page",
	"find change": "logarithmic",

	"list history": "page",
	"find next entries": "page",
	"read entries": "page",

	"list edits": "page",
	"find edit": "logarithmic",
	"find older edit": "logarithmic",
	"find restore": "whole", // of the edits since another one, for its undo
	"read entries of edit": "page",
	"mark edit as undone": "logarithmic",

	"list categories": "page",
	"find categories": "page",
	"list category names": "whole", // at most 10,000, for an export
	"compare category names": "logarithmic",
	"count category names": "whole", // at most 10,000, for new names
	"find free category": "logarithmic",
	"find taken categories": "page",
	"remove category": "logarithmic",

	"find import": "logarithmic",

	"find key": "page",
	"list keys": "page",
	"list valid keys": "whole", // for a restore
	"find key names": "page",
	"draw key id": "constant",
	"revoke key": "logarithmic",
	"record use": "logarithmic",

	"find session": "page",
	"end session": "logarithmic",
	"end all sessions": "whole", // for somebody who ends all
	"find link": "logarithmic",
	"use link": "logarithmic",

	"read backup state": "constant",
	"set backup state": "constant",

	"find newest time": "page",
	"find old rows": "page",
	"delete old rows": "page",

	"read counters": "constant",
	"set last key id": "constant",
	"find any category": "constant",
	"delete all rows": "whole", // for a restore
	"read next rows": "page",
	"read seal": "constant",

	"list indexes": "constant",
	// For `petstore check`.
	"check rows": "whole",
	"count rows": "whole",
} satisfies Readonly<Record<string, Cost>>;

export type StatementName = keyof typeof statements | `insert ${TableName}`;
