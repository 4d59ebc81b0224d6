// Reads of a SQLite database, without waiting. Each sees every commit until now, of any process.
import type { Database } from "bun:sqlite";
import type { State } from "../engine.ts";
import { runAtOnce, type Value, type Work } from "../sql.ts";
import { toRunner } from "./connection.ts";

/** `isAlone`: whether no other connection writes, as in memory. */
export function openReads(db: Database, isAlone: boolean) {
	const runner = toRunner(db);
	const dataVersion = db.query<{ data_version: bigint }, []>(
		"PRAGMA data_version",
	);
	const readState = db.query<Pick<State, "epoch" | "last">, []>(
		"SELECT base AS epoch, last FROM counter",
	);
	let version: bigint | undefined;
	let state: State | undefined;

	function renew(): State {
		const { epoch = "0", last = 0n } = readState.get() ?? {};
		return { base: BigInt(epoch), epoch, last };
	}

	return {
		/** Only for a database in memory, whose own connection writes. */
		expire(): void {
			state = undefined;
		},
		/**
		 * Read before a page: a commit in between makes the page newer than its state, never older. For each list: requests that another process
		 * has caused may arrive in the same turn of the event loop, on connections that were accepted in it.
		 */
		state(): State {
			if (!isAlone) {
				// Changes with each commit of another connection.
				const current = dataVersion.get()?.data_version;
				if (current !== version) state = undefined;
				version = current;
			}
			state ??= renew();
			return state;
		},
		read: <Result>(work: () => Work<Result>): Result =>
			runAtOnce(runner, work()),
		toReadOne<Found>(text: string): (value: Value) => Found | undefined {
			const statement = runner.prepare<Found>(text);
			return (value) => statement.get(value) ?? undefined;
		},
		close: runner.close,
	};
}
