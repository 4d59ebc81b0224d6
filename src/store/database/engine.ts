// What the store needs from a database.

import type { Awaitable } from "../../domain/async.ts";
import type { GivenPet } from "../../domain/pet/pet.ts";
import type { Value, Work } from "./sql.ts";
import type { State } from "./state.ts";
import type { StatementName } from "./statements.ts";

/** "create" makes a missing database; "read" changes nothing, and "restore" also reads a file of an earlier schema. */
export type Access = "create" | "write" | "read" | "restore";

export function isWriting(access: Access): boolean {
	return access === "create" || access === "write";
}

export interface Engine {
	/** How far the feed goes. Another object after each commit that changes animals, by any process. */
	readonly state: () => Awaitable<State>;
	/** In one statement or several, each of which sees every write that was acknowledged before. */
	readonly read: <Result>(
		work: () => Work<Result>,
		known?: Known<Result>,
	) => Awaitable<Result>;
	/** Prepares a read of one row by one value, if reads answer without waiting. If not, callers at the same time should share a question. */
	readonly toReadOne?: <Found>(
		name: StatementName,
		text: string,
	) => (value: Value) => Awaitable<Found | undefined>;
	/** One transaction, durable when the promise resolves. It waits for all other writes, of any process. */
	readonly write: <Result>(
		work: () => Work<Result>,
		/** When the caller asked, if that was earlier. It waits no longer than others for a long write. */
		since?: number,
	) => Promise<Result>;
	/** The same for long work, as an import. On a SQLite file, other requests are answered between its statements. */
	readonly writeLong: <Result>(work: () => Work<Result>) => Promise<Result>;
	/** A faster `addPets`, if the engine has one. */
	readonly addPets?: (additions: readonly Addition[]) => Work<readonly Added[]>;
	/** One moment of the database, for an export or a backup. */
	readonly openSnapshot: () => Promise<Snapshot>;
	/** The time of the database's server, if it has a clock of its own. */
	readonly readClock?: () => Promise<number>;
	/** The SQL function that finds a text in another. SQLite's LIKE takes a hundred times as long for some. */
	readonly position: "instr" | "strpos";
	/** SQL that names the index of a status. */
	readonly toHint: (status: string) => string;
	readonly describe: () => Promise<Description>;
	/** Damage of the file and its indexes, one line for each. PostgreSQL has no such check. */
	readonly findDamage?: () => readonly string[];
	/** SQL that reads the names of the indexes. */
	readonly indexNames: string;
	/** Resolves if requests can be answered now. */
	readonly ping: () => Promise<void>;
	readonly close: () => Promise<void>;
}

/** What a process knows of a result without asking whether it is durable, so that it can be told while nothing becomes durable. */
export interface Known<Result> {
	/** `durable` is the newest state of the animals that is known to be durable. */
	readonly isDurable: (result: Result, durable: State) => boolean;
	/** Called with a result that is durable. */
	readonly onDurable?: (result: Result) => void;
}

export interface Snapshot {
	/** On SQLite, other requests are answered between its statements. */
	readonly read: <Result>(work: () => Work<Result>) => Promise<Result>;
	/** Whether it holds back so much of the WAL that it should be closed soon. */
	readonly mustEndSoon: () => boolean;
	readonly close: () => Promise<void>;
}

export interface Description {
	readonly engine: "sqlite" | "postgres";
	readonly engineVersion: string;
	/** The number of steps that the database has. */
	readonly schema: number;
	/** The size on disk, or in memory for a database in memory. For PostgreSQL: our tables with their indexes. */
	readonly databaseBytes: number;
	/** The size of the WAL file, which SQLite overwrites from its start after a checkpoint. Only for a SQLite file. */
	readonly walBytes?: number;
}

export interface Addition {
	readonly pet: GivenPet;
	readonly idempotency?: Idempotency | undefined;
	/** Now, and by nobody, if not given. */
	readonly origin?: PetOrigin | undefined;
}

/** Makes an add repeatable. A repeated request for the same animal has the same fingerprint. */
export interface Idempotency {
	/** The hash of the API key. */
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly at: number;
}

/** When an animal is added, and by whom, without the name of a key. */
export interface PetOrigin {
	readonly at: number;
	readonly by: string | null;
}

export type Added =
	| { readonly outcome: "added"; readonly id: bigint }
	/** `at` is when it was added. */
	| { readonly outcome: "replayed"; readonly id: bigint; readonly at: number }
	/** The Idempotency-Key was used for another animal. */
	| { readonly outcome: "mismatch" };

/** Runs work that only reads on one moment of the database. */
export type ReadMoment = <Result>(
	toWork: () => Work<Result>,
) => Promise<Result>;
