// Writes the parts of an archive into a database of either engine. The caller begins and ends the transaction.
import type { Awaitable } from "../../domain/async.ts";
import type { Authored } from "../../domain/author.ts";
import {
	OperatorError,
	StoreFailure,
	storeWroteNothing,
} from "../../domain/errors.ts";
import { toCountText } from "../../domain/quantity.ts";
import type { ImportOptions, Staged } from "../import.ts";
import {
	type Archive,
	type ArchivedPet,
	type Epoch,
	notEmpty,
	type Part,
	toNextEpoch,
} from "./archive.ts";
import type { PartCounts } from "./import-plan.ts";
import { type ArchiveSource, countPets } from "./read.ts";
import {
	type Row,
	type Sql,
	type TableName,
	tableNames,
	toSqlName,
} from "./tables.ts";

/** Runs `write` in one transaction of a connection of its own. No other transaction writes to the tables until it ends. */
export type Transact = <Result>(
	tables: readonly TableName[],
	options: TransactOptions,
	write: (target: ArchiveTarget) => Promise<Result>,
) => Promise<Result>;

export interface TransactOptions extends Pick<ImportOptions, "isServing"> {
	readonly staged?: Staged;
}

export function toArchiveWrites(
	transact: Transact,
): Pick<Archive, "write" | "writeFirstPets" | "replace"> {
	const toWrite =
		(prepare: Preparation): Archive["writeFirstPets"] =>
		(parts) =>
			transact(tableNames, {}, (target) =>
				writeParts(target, prepare, parts).catch(wroteNothing),
			);
	return {
		write: toWrite(requireNothing),
		writeFirstPets: toWrite(heldNoPets),
		replace: toWrite(removeAll),
	};
}

/** Before the COMMIT nothing is written, even if the database that is read has failed. */
export function wroteNothing(error: unknown): never {
	throw error instanceof StoreFailure ? storeWroteNothing(error.cause) : error;
}

/** What an engine provides for writing. */
export interface ArchiveTarget
	extends Pick<ArchiveSource, "sql" | "readEpoch"> {
	readonly setEpoch: (epoch: Epoch) => Awaitable<void>;
	/** Draws values of the counter of ids and feed positions. */
	readonly drawIds: (count: number) => Awaitable<readonly bigint[]>;
	/** Only of an engine that can read the staging file itself. */
	readonly staged?: StagedWrites;
	readonly insert: (
		table: TableName,
		rows: readonly Row[],
		/** Whether rows with the same key are replaced. Without it they fail. */
		replace?: boolean,
	) => Awaitable<void>;
}

/** Staged animals by number: without `after`, with `to`. */
interface StagedRange {
	readonly after: number;
	readonly to: number;
}

export interface StagedWrites {
	/** Adds them with the ids after `lastId`. */
	readonly add: (
		range: StagedRange,
		lastId: bigint,
		origin: ImportOrigin,
	) => PartCounts;
	/**
	 * Changes or adds them. Animals with ids above `lastId` were added by this import. Without `authored` no history is kept. Returns
	 * undefined, and writes nothing, if a line has a problem.
	 */
	readonly update: (
		range: StagedRange,
		lastId: bigint,
		origin: ImportOrigin,
		authored: Authored | undefined,
	) => PartCounts | undefined;
}

/** Of animals that are added. */
export interface ImportOrigin {
	readonly addedAt: number;
	readonly addedBy: bigint | null;
}

/** Checks or deletes the earlier content. Returns false to refuse the write. */
type Preparation = (target: ArchiveTarget) => Promise<boolean>;

/** Returns false, and has written nothing, if the preparation refuses. */
export async function writeParts(
	target: ArchiveTarget,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
): Promise<boolean> {
	const { sql } = target;
	const before = await target.readEpoch();
	if (!(await prepare(target))) return false;
	let archived: Partial<Epoch> = {};
	let petCount: number | undefined;
	for await (const part of parts) {
		if (part.kind === "epoch") archived = part;
		else if (part.kind === "count") petCount = part.pets;
		else if (part.rows.length > 0) await insert(target, part);
	}
	if (petCount !== undefined) await requireCount(sql, petCount);
	await forgetRestored(sql);
	// After the animals, whose ids move the counter of SQLite too.
	const largest = await readLargest(sql);
	await target.setEpoch(toNextEpoch(before, archived, largest));
	return true;
}

async function insert(
	target: ArchiveTarget,
	part: Extract<Part, { rows: unknown }>,
): Promise<void> {
	if (part.kind === "pets")
		return target.insert("pets", part.rows.map(toPetRow));
	if (part.kind !== "removedIds") return target.insert(part.kind, part.rows);
	// Its own id is free as a position, since ids and positions come from one counter.
	const removals = part.rows.map((id) => ({
		position: id,
		petId: id,
		kind: "removed",
	}));
	await target.insert("changes", removals, true);
}

function toPetRow(pet: ArchivedPet): Row {
	return pet.version === pet.id ? { ...pet, version: undefined } : { ...pet };
}

/** A service without animals and keys may have signed someone in: these rows are deleted. */
const requireNothing: Preparation = async (target) => {
	const found = await target.sql(
		`SELECT 1 FROM petstore.keys UNION ALL SELECT 1 FROM petstore.idempotency_keys
		UNION ALL SELECT 1 FROM petstore.categories LIMIT 1`,
	);
	if (found.length > 0 || !(await heldNoPets(target)))
		throw new OperatorError(notEmpty);
	return removeAll(target);
};

/** The last id shows whether the database ever had animals. */
const heldNoPets: Preparation = async ({ sql, readEpoch }) => {
	const found = await sql("SELECT 1 FROM petstore.pets LIMIT 1");
	return found.length === 0 && (await readEpoch()).lastId === 0n;
};

/**
 * Records all animals as removed, so that their ids stay assigned. `forgetRestored` deletes the entries of animals that come back. DELETE,
 * since TRUNCATE would make lists of PostgreSQL wait.
 */
export const removeAll: Preparation = async ({ sql }) => {
	await sql("DELETE FROM petstore.changes WHERE kind <> 'removed'");
	// Each row moves to its own id, which is free as a position. Negative first, since another row may have it still.
	await sql("UPDATE petstore.changes SET position = -pet_id");
	await sql("UPDATE petstore.changes SET position = pet_id");
	await sql(
		`INSERT INTO petstore.changes (position, pet_id, kind)
		SELECT id, id, 'removed' FROM petstore.pets`,
	);
	for (const name of tableNames.toReversed())
		if (name !== "changes" && name !== "catalogue")
			await sql(`DELETE FROM petstore.${toSqlName(name)}`);
	return true;
};

async function forgetRestored(sql: Sql): Promise<void> {
	await sql(
		"DELETE FROM petstore.changes WHERE pet_id IN (SELECT id FROM petstore.pets)",
	);
}

async function requireCount(sql: Sql, expected: number): Promise<void> {
	const { pets } = await countPets({ sql });
	if (expected !== pets)
		throw new OperatorError(
			`Animals read: ${toCountText(expected)}, written: ${toCountText(pets)}. Nothing was kept; check the source with "petstore check".`,
		);
}

async function readLargest(sql: Sql): Promise<Omit<Epoch, "id" | "base">> {
	const [row] = await sql(
		`SELECT max(id) AS "lastId", (SELECT max(id) FROM petstore.keys) AS "lastKeyId" FROM (
			SELECT max(id) AS id FROM petstore.pets UNION ALL SELECT max(version) FROM petstore.pets
			UNION ALL SELECT max(position) FROM petstore.changes UNION ALL SELECT max(position) FROM petstore.history
		) AS largest`,
	);
	return {
		lastId: BigInt(row?.lastId ?? 0),
		lastKeyId: BigInt(row?.lastKeyId ?? 0),
	};
}
