// Reads of a SQLite database, without waiting. Each sees every commit until now, of any process.
import type { Database } from "bun:sqlite";
import { runAtOnce, type Value, type Work } from "../database/sql.ts";
import { noState, type State, selectState } from "../database/state.ts";
import { toRunner } from "./connection.ts";

/** How long reads share a transaction, which holds back checkpoints. */
const snapshotMs = 5;

/**
 * `sawCommit` tells whether any connection has committed since it was called last. Without it, as in memory, no other connection commits.
 * It is asked for each read: a request that another process has caused may arrive in the same turn of the event loop, on a connection that
 * was accepted in it.
 */
export function openReads(db: Database, sawCommit?: () => boolean) {
	/** Undefined after the end, which frees the memory that it reads. */
	let watch = sawCommit;
	const runner = toRunner(db);
	const begin = db.query("BEGIN");
	const rollback = db.query("ROLLBACK");
	const readState = db.query<State, []>(selectState);
	let state: State | undefined;
	let isOpen = false;
	let timer: Timer | undefined;

	function endSnapshot(): void {
		timer = undefined;
		if (isOpen && db.inTransaction) rollback.run();
		isOpen = false;
	}

	/** Makes the next read see every commit until now. */
	function expire(): void {
		state = undefined;
		clearTimeout(timer);
		endSnapshot();
	}

	/** Reads share a transaction until the next commit: alone, each would lock and unlock the file. */
	function look(): void {
		if (watch === undefined) return;
		// Before the transaction begins: a commit in between makes a read newer than the look, never older.
		if (watch()) expire();
		if (isOpen) return;
		begin.run();
		isOpen = true;
		timer = setTimeout(endSnapshot, snapshotMs);
	}

	return {
		expire,
		state(): State {
			look();
			state ??= readState.get() ?? noState;
			return state;
		},
		read<Result>(work: () => Work<Result>): Result {
			look();
			return runAtOnce(runner, work());
		},
		toReadOne<Found>(text: string): (value: Value) => Found | undefined {
			const statement = runner.prepare<Found>(text);
			return (value) => {
				look();
				return statement.get(value) ?? undefined;
			};
		},
		close(): void {
			watch = undefined;
			expire();
			runner.close();
		},
	};
}
