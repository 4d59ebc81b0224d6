// Reads of a SQLite database, without waiting. Those of one turn of the event loop share what they look up: what other processes commit
// meanwhile, this one reads in the next turn. No reply that they sent can have caused a request of this turn.
import type { Database } from "bun:sqlite";
import type { State } from "../engine.ts";
import { runAtOnce, type Value, type Work } from "../sql.ts";
import { toRunner } from "./connection.ts";

export type Reads = ReturnType<typeof openReads>;

/** `isAlone`: whether no other connection writes, as in memory. */
export function openReads(db: Database, isAlone: boolean) {
	const runner = toRunner(db);
	const begin = db.query("BEGIN");
	const rollback = db.query("ROLLBACK");
	const dataVersion = db.query<{ data_version: bigint }, []>(
		"PRAGMA data_version",
	);
	const readState = db.query<Pick<State, "epoch" | "last">, []>(
		"SELECT base AS epoch, last FROM counter",
	);
	/** Whether a read came before in this turn. */
	let isSecond = false;
	let isOpen = false;
	let isCurrent = false;
	let version: bigint | undefined;
	let state: State = { base: 0n, epoch: "", last: -1n };

	function end(): void {
		isCurrent = false;
		if (!isOpen) return;
		isOpen = false;
		rollback.run();
	}

	function endTurn(): void {
		isSecond = false;
		if (!isAlone) end();
	}

	function enterTurn(): void {
		isSecond = true;
		setImmediate(endTurn);
	}

	/** The second read of a turn begins a transaction: alone, each statement would lock and unlock the file. */
	function share(): void {
		if (isOpen || isAlone) return;
		if (isSecond) {
			begin.run();
			isOpen = true;
		} else enterTurn();
	}

	/** Changes with each commit of another connection. */
	function hasNewVersion(): boolean {
		const current = dataVersion.get()?.data_version;
		const isNew = current !== version;
		version = current;
		return isNew;
	}

	function renew(): void {
		if (!isAlone && !isSecond) enterTurn();
		if (isAlone || hasNewVersion()) {
			const { epoch = "0", last = 0n } = readState.get() ?? {};
			state = { base: BigInt(epoch), epoch, last };
		}
		isCurrent = true;
	}

	return {
		/** Makes the next read see every commit until now. */
		end,
		/** Read before a page: a commit in between makes the page newer than its state, never older. */
		state(): State {
			if (!isCurrent) renew();
			return state;
		},
		read<Result>(work: () => Work<Result>): Result {
			share();
			return runAtOnce(runner, work());
		},
		toReadOne<Found>(text: string): (value: Value) => Found | undefined {
			const statement = runner.prepare<Found>(text);
			return (value) => {
				share();
				return statement.get(value) ?? undefined;
			};
		},
		close(): void {
			end();
			runner.close();
		},
	};
}
