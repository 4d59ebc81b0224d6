// Adds the animals of a staging file to a database of either engine. The caller begins and ends the transaction.
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	findImport,
	type Imported,
	type ImportOptions,
	type Imports,
	isSame,
	maxToldErrors,
	requireIds,
	type Staged,
	type StagedPet,
	type Taken,
	type TakenId,
} from "../import.ts";
import { archiveRows } from "./archive.ts";
import type { Row, Sql } from "./tables.ts";
import type { ArchiveTarget, Transact } from "./write.ts";

export function toImports(sql: Sql, transact: Transact): Imports {
	return {
		...toImportReads(sql),
		// The lock of `imports` makes another import with the same id wait. That of `pets` keeps adds from drawing an id until the counter is above
		// the ids that are kept.
		write: (staged, options) =>
			transact(
				options.keepIds ? ["pets", "imports"] : ["imports"],
				options,
				(target) => writeImport(target, staged, options),
			),
	};
}

/** For commands that only read. */
export function toImportReads(sql: Sql): Omit<Imports, "write"> {
	return {
		find: (importId) => findImport(sql, importId),
		findTaken: (staged) => findTaken(sql, staged),
	};
}

/** Writes nothing unless the outcome is "added". */
export async function writeImport(
	target: ArchiveTarget,
	staged: Staged,
	{ keepIds, importId, contentHash, onProgress, signal }: ImportOptions,
): Promise<Imported> {
	const { sql } = target;
	const finished =
		importId === undefined ? undefined : await findImport(sql, importId);
	if (finished !== undefined)
		return {
			outcome: isSame(finished, contentHash) ? "repeated" : "reused",
			...finished,
		};
	if (keepIds) {
		const taken = await findTaken(sql, staged);
		if (taken.count > 0) return { outcome: "taken", ...taken };
	}
	const { lastId } = await target.readEpoch();
	await reserveIds(target, staged, keepIds, lastId);
	const addedAt = Date.now();
	let count = 0;
	for await (const added of keepIds || target.addStaged === undefined
		? addParts(target, staged, lastId, addedAt)
		: addNumbers(target.addStaged, staged, lastId, addedAt)) {
		count += added;
		onProgress(count);
		// So that a signal to stop is noticed.
		await nextIteration();
		signal.throwIfAborted();
	}
	if (importId !== undefined)
		await target.insert("imports", [
			{ id: importId, animals: count, finishedAt: addedAt, contentHash },
		]);
	return { outcome: "added" };
}

/** Kept ids are below all that are drawn after this. */
async function reserveIds(
	target: ArchiveTarget,
	staged: Staged,
	keepIds: boolean,
	lastId: bigint,
): Promise<void> {
	if (!keepIds) return requireIds(lastId, BigInt(staged.count()));
	const { max, late } = staged.ids(lastId);
	const last = max > lastId ? max : lastId;
	requireIds(last, late);
	await target.setLastId(last);
}

async function* addParts(
	target: ArchiveTarget,
	staged: Staged,
	lastId: bigint,
	addedAt: number,
): AsyncGenerator<number> {
	for (const pets of staged.read()) {
		await addPets(target, pets, lastId, addedAt);
		yield pets.length;
	}
}

/** Takes a third of the processor time of `addParts` on SQLite. */
function* addNumbers(
	addStaged: NonNullable<ArchiveTarget["addStaged"]>,
	staged: Staged,
	lastId: bigint,
	addedAt: number,
): Generator<number> {
	const count = staged.count();
	for (let after = 0; after < count; after += archiveRows) {
		const to = Math.min(count, after + archiveRows);
		addStaged({ after, to }, lastId, addedAt);
		yield to - after;
	}
}

/** A reader of the feed that is past the kept id of an added animal would miss it, so the animal gets a position of its own. */
async function addPets(
	target: ArchiveTarget,
	pets: readonly StagedPet[],
	lastId: bigint,
	addedAt: number,
): Promise<void> {
	const isDrawn = ({ id }: StagedPet) => id === null || id <= lastId;
	const count = pets.filter(isDrawn).length;
	const drawn = count > 0 ? await target.drawIds(count) : [];
	let next = 0;
	const changes: Row[] = [];
	const rows = pets.map((pet): Row => {
		const position = isDrawn(pet) ? drawn[next++] : undefined;
		if (pet.id === null) return { ...pet, id: position, addedAt };
		if (position !== undefined)
			changes.push({ position, petId: pet.id, kind: "added" });
		return { ...pet, version: position, addedAt };
	});
	await target.insert("pets", rows);
	if (changes.length > 0) await target.insert("changes", changes);
}

async function findTaken(sql: Sql, staged: Staged): Promise<Taken> {
	let count = 0;
	const first: TakenId[] = [];
	for (const pets of staged.read()) {
		const ids = pets.map(({ id }) => id).join(", ");
		const rows = await sql(
			`SELECT id, 0 AS removed FROM petstore.pets WHERE id IN (${ids})
			UNION ALL SELECT pet_id, 1 FROM petstore.changes WHERE kind = 'removed' AND pet_id IN (${ids})`,
		);
		count += rows.length;
		const removed = new Map(
			rows.map((row) => [BigInt(row.id ?? 0), Number(row.removed) === 1]),
		);
		for (const { line, id } of pets) {
			const isRemoved = id === null ? undefined : removed.get(id);
			if (id !== null && isRemoved !== undefined)
				if (first.length < maxToldErrors) first.push({ line, id, isRemoved });
		}
	}
	return { count, first };
}
