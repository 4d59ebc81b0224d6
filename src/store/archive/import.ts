// Adds or updates the animals of a staging file in a database of either engine. The caller begins and ends the transaction.
import { setImmediate as nextIteration } from "node:timers/promises";
import type { Authored } from "../../domain/author.ts";
import { OperatorError } from "../../domain/errors.ts";
import { maxInt64 } from "../../domain/json.ts";
import { toCountText } from "../../domain/quantity.ts";
import type {
	FinishedImport,
	Imported,
	ImportMode,
	ImportOptions,
	ImportReads,
	Imports,
	Staged,
	StagedPet,
} from "../import.ts";
import { archiveRows } from "./archive.ts";
import {
	type ChangedPet,
	checkImport,
	createSum,
	type PartCounts,
	toCounts,
	toPlan,
} from "./import-plan.ts";
import type { Row, Sql, TableName } from "./tables.ts";
import type { ArchiveTarget, ImportOrigin, Transact } from "./write.ts";

export function toImports(
	sql: Sql,
	transact: Transact,
	keepsHistory: boolean,
): Imports {
	return {
		...toImportReads(sql),
		write: (staged, options) =>
			transact(lockedTables[options.mode], { ...options, staged }, (target) =>
				writeImport(target, staged, options, keepsHistory),
			).catch((error) => {
				if (error instanceof Refusal) return error.imported;
				throw error;
			}),
	};
}

/** The lock of `imports` makes another import with the same id wait. The lock of `pets` stops changes of animals that were read. */
const lockedTables: Readonly<Record<ImportMode, readonly TableName[]>> = {
	add: ["imports"],
	update: ["pets", "imports"],
};

/** For commands that only read. */
export function toImportReads(sql: Sql): ImportReads {
	return {
		find: (importId) => findImport(sql, importId),
		check: (staged, mode) => checkImport(sql, staged, mode),
	};
}

async function findImport(
	sql: Sql,
	id: string,
): Promise<FinishedImport | undefined> {
	const [row] = await sql(
		`SELECT animals, finished_at AS "finishedAt", content_hash AS "contentHash" FROM petstore.imports WHERE id = $1`,
		[id],
	);
	return (
		row && {
			animals: Number(row.animals),
			finishedAt: Number(row.finishedAt),
			contentHash: String(row.contentHash),
		}
	);
}

/** Throws a Refusal, which rolls everything back, unless the outcome is "done". */
export async function writeImport(
	target: ArchiveTarget,
	staged: Staged,
	options: ImportOptions,
	keepsHistory = true,
): Promise<Imported> {
	const { importId, contentHash, onProgress, signal } = options;
	const finished = importId && (await findImport(target.sql, importId));
	if (finished)
		throw new Refusal({
			outcome: finished.contentHash === contentHash ? "repeated" : "reused",
			...finished,
		});
	const { lastId } = await target.readEpoch();
	requireIds(lastId, BigInt(staged.count()));
	const sum = createSum();
	let count = 0;
	const history = keepsHistory ? options.authored : undefined;
	const parts = writeStaged(target, staged, options, lastId, history);
	for await (const part of parts) {
		sum.add(part);
		count += part.added + part.changed + part.unchanged;
		onProgress(count);
		// Lets signals arrive.
		await nextIteration();
		signal.throwIfAborted();
	}
	const { problems, ...counts } = sum.toCheck();
	if (problems.count > 0)
		throw new Refusal({ outcome: "refused", ...problems });
	const animals = counts.added + counts.changed;
	const finishedAt = options.authored.at;
	if (importId !== undefined)
		await target.insert("imports", [
			{ id: importId, animals, finishedAt, contentHash },
		]);
	return { outcome: "done", ...counts };
}

class Refusal extends Error {
	readonly imported: Imported;

	constructor(imported: Imported) {
		super(imported.outcome);
		this.imported = imported;
	}
}

/** Throws if fewer ids are left. */
function requireIds(lastId: bigint, count: bigint): void {
	if (lastId + count > maxInt64)
		throw new OperatorError(
			`Ids needed: ${toCountText(count)}; ids left: ${toCountText(maxInt64 - lastId)}. Nothing was imported; import fewer animals.`,
		);
}

/** After a problem it writes nothing more, but finds the other problems. */
async function* writeStaged(
	target: ArchiveTarget,
	staged: Staged,
	{ mode, authored }: ImportOptions,
	lastId: bigint,
	history: Authored | undefined,
): AsyncGenerator<PartCounts> {
	const origin = toOrigin(authored);
	let done = 0;
	// Faster, but it does not say which line has a problem.
	if (target.staged !== undefined)
		for (const range of toRanges(staged.count())) {
			const counts =
				mode === "add"
					? target.staged.add(range, lastId, origin)
					: target.staged.update(range, lastId, origin, history);
			if (counts === undefined) break;
			yield counts;
			done = range.to;
		}
	let isRefused = false;
	for (const pets of staged.read(done)) {
		const plan = await toPlan[mode](target.sql, pets, lastId);
		isRefused ||= plan.problems.length > 0;
		if (!isRefused) {
			await addPets(target, plan.added, origin);
			await changePets(target, plan.changed, history);
		}
		yield toCounts(plan);
	}
}

function* toRanges(count: number) {
	for (let after = 0; after < count; after += archiveRows)
		yield { after, to: Math.min(count, after + archiveRows) };
}

async function addPets(
	target: ArchiveTarget,
	pets: readonly StagedPet[],
	origin: ImportOrigin,
): Promise<void> {
	if (pets.length === 0) return;
	const drawn = await target.drawIds(pets.length);
	await target.insert(
		"pets",
		pets.map(
			({ set }, index): Row => ({ ...set, id: drawn[index], ...origin }),
		),
	);
}

/** Each animal gets a version, which is its position in the feed. */
async function changePets(
	target: ArchiveTarget,
	pets: readonly ChangedPet[],
	authored: Authored | undefined,
): Promise<void> {
	if (pets.length === 0) return;
	const drawn = await target.drawIds(pets.length);
	const changed = pets.map(
		({ after }, index): Row => ({ ...after, version: drawn[index] }),
	);
	await target.insert("pets", changed, true);
	await target.insert(
		"changes",
		changed.map(({ id, version }) => ({
			position: version,
			petId: id,
			kind: "changed",
		})),
		true,
	);
	if (authored === undefined) return;
	const { by, at } = authored;
	await target.insert(
		"history",
		pets.map(({ before }, index) => ({
			...before,
			position: drawn[index],
			petId: before.id,
			kind: "changed",
			at,
			byKind: by.kind,
			byId: by.id,
			byName: by.name,
		})),
	);
}

/** Of the animals that are added. A key that is not stored has no id. */
function toOrigin({ by, at }: Authored): ImportOrigin {
	const addedBy = by.kind === "key" && by.id !== undefined ? by.id : null;
	return { addedAt: at, addedBy: addedBy === null ? null : BigInt(addedBy) };
}
