// Runs the write transactions of a service. Each has a name, so that a thread can run it too.
import type { Database } from "bun:sqlite";
import type { Awaitable } from "../../../../async/awaitable.ts";
import { commit, retryWhileBusy } from "../../database.ts";
import type { FileGuard } from "../../files/file-guard.ts";
import { type CheckpointOptions, createCheckpointer } from "../../files/wal.ts";
import { toSql } from "../../sql.ts";
import { preparePetTransactions } from "./pet-transactions.ts";

export function prepareTransactions(db: Database) {
	return {
		...preparePetTransactions(db),
		runSql: toSql(db),
	};
}

type Prepared = ReturnType<typeof prepareTransactions>;
export type WriteName = keyof Prepared;
export type WriteValues<Name extends WriteName> = Parameters<Prepared[Name]>;
export type Written<Name extends WriteName> = ReturnType<Prepared[Name]>;
export type Transactions = {
	[Name in WriteName]: (...values: WriteValues<Name>) => Written<Name>;
};

export interface Writer {
	/** Resolves when the transaction is durable. */
	readonly write: <Name extends WriteName>(
		name: Name,
		...values: WriteValues<Name>
	) => Promise<Written<Name>>;
	readonly close: () => Promise<void>;
}

interface WriterOptions extends CheckpointOptions {
	/** Gets the time that the transaction took, without the wait for the lock. */
	readonly onCommit?: (ms: number) => void;
	/** The writer that does this transaction instead, if any. */
	readonly findOther?: (
		name: WriteName,
		values: readonly unknown[],
	) => Awaitable<Writer | undefined>;
}

/** Writes on the thread that calls it. */
export function createWriter(
	db: Database,
	requireSame: FileGuard,
	options: WriterOptions = {},
): Writer {
	const { onCommit = () => {}, findOther = () => undefined } = options;
	const transactions: Transactions = prepareTransactions(db);
	const checkpoint = createCheckpointer(db, options);
	// IMMEDIATE: a transaction that reads first and then writes fails without waiting. By `query`, since `close` finalizes only the
	// statements that `query` made.
	const begin = db.query("BEGIN IMMEDIATE");
	return {
		async write(name, ...values) {
			const other = await findOther(name, values);
			if (other !== undefined) return other.write(name, ...values);
			const written = await retryWhileBusy(() => {
				checkpoint();
				const startedAt = performance.now();
				begin.run();
				try {
					const result = transactions[name](...values);
					commit(db);
					onCommit(performance.now() - startedAt);
					return result;
				} catch (error) {
					// After some errors SQLite has rolled back already.
					if (db.inTransaction) db.run("ROLLBACK");
					throw error;
				}
			});
			// A write to a file that was replaced is lost.
			requireSame();
			return written;
		},
		close: async () => {},
	};
}
