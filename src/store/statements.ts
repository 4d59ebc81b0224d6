// The statements of the store by name, and what each costs. test/store/statements.slow.test.ts runs all of them and reads their plans.

import type { TableName } from "./tables.ts";

/**
 * What a statement reads and writes: "constant" a table that always has one row, "found" the rows of a few keys, "page" as many rows as were
 * asked for or given, "whole" all rows of a table that grows.
 */
export type Cost = "constant" | "found" | "page" | "whole";

export const statements = {
	"read state": "constant",
	"move state": "constant",
	"read clock": "constant",
	describe: "constant",

	"get animals": "page",
	"list animals": "page",
	"add animals": "page",
	"find Idempotency-Keys": "page",
	"delete animals": "page",
	"count animals": "whole",

	"find newest id": "found",
	"search animals": "page",
	"export animals": "page",

	"read feed": "page",
	"find change": "found",

	"list history": "page",
	"find next entries": "page",
	"read entries": "page",

	"list edits": "page",
	"find edit": "found",
	"find older edit": "found",
	"read entries of edit": "page",
	"mark edit as undone": "found",

	"list categories": "page",
	"find categories": "page",
	"list category names": "whole",
	"compare category names": "whole",
	"count category names": "whole",
	"find free category": "whole",
	"remove category": "found",

	"find import": "found",

	"find key": "page",
	"list keys": "page",
	"list key names": "whole",
	"draw key id": "constant",
	"revoke key": "found",
	"record use": "found",

	"find session": "page",
	"end session": "found",
	"end all sessions": "whole",
	"find link": "found",
	"use link": "found",

	"read backup state": "constant",
	"set backup state": "constant",

	"find newest time": "whole",
	"find old rows": "whole",
	"delete old rows": "whole",

	"read counters": "constant",
	"set last key id": "constant",
	"find any category": "constant",
	"sum counts": "whole",
	"delete all rows": "whole",
	"read next rows": "page",

	"check rows": "whole",
	"count rows": "whole",
} satisfies Readonly<Record<string, Cost>>;

export type StatementName = keyof typeof statements | `insert ${TableName}`;
