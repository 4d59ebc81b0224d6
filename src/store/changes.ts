// Changes and removes animals, with their entries in feed and history. Each function is a part of one transaction, and no other one writes
// at the same time.
import { type Authored, toAuthorText, withName } from "../domain/author.ts";
import { idsExhausted } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import {
	givenNames,
	type NewPet,
	type PetStatus,
	type StoredPet,
} from "../domain/pet.ts";
import { toComparable } from "../domain/text.ts";
import type { VersionCondition } from "../domain/version.ts";
import {
	findAmong,
	insertRows,
	type Row,
	run,
	type Statement,
	toAmong,
	type Work,
} from "./sql.ts";
import { type ChangeKind, type EditKind, petColumns } from "./tables.ts";

/** The last id or position of the feed, which come from one counter, and the epoch. */
interface Counter {
	readonly last: bigint;
	readonly epoch: string;
}

const counter: Statement = {
	text: "SELECT last, base AS epoch FROM counter",
	values: [],
};

/** The counter, and the rows of other statements: one question. */
export function* askWithCounter<Found>(
	statements: readonly Statement[] = [],
): Work<Counter & { readonly rows: readonly Found[] }> {
	const [found, ...others] = yield { asks: [counter, ...statements] };
	const row: Counter = found?.[0] ?? { last: 0n, epoch: "" };
	return { last: row.last, epoch: row.epoch, rows: others.flat() };
}

/** Fails if the counter is not what it was, because another transaction writes at the same time. */
export function* setCounter(from: bigint, to: bigint): Work<void> {
	if (to > maxInt64) throw idsExhausted;
	if (from !== to)
		yield* run(
			"UPDATE counter SET last = CASE WHEN last = $1 THEN CAST($2 AS int8) END",
			[from, to],
		);
}

/** The columns of an animal. */
export function toPetRow(pet: StoredPet): Row {
	return { ...pet, foldedName: toComparable(pet.name) };
}

/** An animal with the epoch of the database, which is a part of its ETag. */
export interface FoundPet extends StoredPet {
	readonly epoch: string;
}

export interface PetChange {
	readonly petId: bigint;
	/** The members to replace; undefined removes the animal. */
	readonly set: Partial<NewPet> | undefined;
	/** Versions that the animal may have before all changes. If it has another, no change is made. */
	readonly condition?: VersionCondition;
	/** What a removed animal is put back as. Without it, a removed animal counts as missing. */
	readonly putBack?: StoredPet | undefined;
}

export type Changed = MadeChanges | ChangeRefused;

export interface MadeChanges {
	readonly outcome: "changed";
	/** For each change, its animal after all changes; undefined if it was removed. */
	readonly pets: readonly (FoundPet | undefined)[];
	/** Undefined if nothing had to be changed, or no history is kept. */
	readonly edit?: bigint | undefined;
	/** How many animals were put back, changed and removed. */
	readonly totals: Readonly<Record<ChangeKind, number>>;
}

/** The first change that was impossible. No change was made. */
export type ChangeRefused =
	| { readonly outcome: "missing"; readonly index: number }
	/** The animal has another version; `pet` is its current state. */
	| {
			readonly outcome: "differs";
			readonly index: number;
			readonly pet: FoundPet;
	  };

/** The changes of one caller: all of them are made, or none. */
export interface Call {
	readonly changes: readonly PetChange[];
	/** Undefined if no history is kept. */
	readonly authored: Authored | undefined;
}

/** The calls in their order, in one transaction. */
export function* changePets(calls: readonly Call[]): Work<readonly Changed[]> {
	const results: Changed[] = [];
	for (const call of calls) results.push(yield* changeTogether(call));
	return results;
}

function* changeTogether({ changes, authored }: Call): Work<Changed> {
	const ids = changes.map(({ petId }) => petId);
	const { last, epoch, rows } = yield* askWithCounter<StoredPet>(
		toAmong(...toFind(ids)),
	);
	const pets = new Map(rows.map((pet) => [pet.id, pet]));
	const changed = toChanged(changes, pets, epoch);
	if ("outcome" in changed) return changed;
	const edit = openEdit(last, authored);
	const written = yield* edit.write(
		[...changed]
			.map(([id, after]): Replaced => ({ before: pets.get(id), after }))
			.filter(({ before, after }) => !hasSameContent(before, after)),
	);
	for (const { entry, after } of written)
		if (after) pets.set(after.id, after);
		else pets.delete(entry.petId);
	return {
		outcome: "changed",
		edit: yield* edit.end(),
		totals: edit.totals,
		pets: ids.map((id) => {
			const pet = pets.get(id);
			return pet && { ...pet, epoch };
		}),
	};
}

/** The animals after the changes of one call, or the first change that is impossible. */
function toChanged(
	changes: readonly PetChange[],
	pets: ReadonlyMap<bigint, StoredPet>,
	epoch: string,
): ReadonlyMap<bigint, StoredPet | undefined> | ChangeRefused {
	const after = new Map<bigint, StoredPet | undefined>();
	for (const [index, { petId, set, condition, putBack }] of changes.entries()) {
		const before = pets.get(petId);
		const pet = after.has(petId) ? after.get(petId) : before;
		// Each change of an animal that is missing before must put it back. None may follow a removal.
		if (pet === undefined ? !putBack || after.has(petId) : !before && !putBack)
			return { outcome: "missing", index };
		if (before !== undefined && !isMet(condition, epoch, before.version))
			return { outcome: "differs", index, pet: { ...before, epoch } };
		after.set(petId, set && (pet ? { ...pet, ...set } : putBack));
	}
	return after;
}

export function hasSameContent(one?: NewPet, other?: NewPet): boolean {
	return givenNames.every((name) => one?.[name] === other?.[name]);
}

/** The condition has versions, with or without an epoch, between commas. */
function isMet(
	condition: PetChange["condition"],
	epoch: string,
	version: bigint,
): boolean {
	return (
		condition === undefined ||
		condition.includes(`,${version},`) ||
		condition.includes(`,${epoch}-${version},`)
	);
}

/** An animal that is changed, removed or put back. */
export interface Replaced {
	readonly before: StoredPet | undefined;
	/** Undefined if the animal is removed. */
	readonly after: StoredPet | undefined;
}

interface Written extends Replaced {
	/** In the feed. Its position is the version of `after`. */
	readonly entry: {
		readonly petId: bigint;
		readonly kind: ChangeKind;
		readonly position: bigint;
	};
}

interface EditOptions {
	/** If it is not given, the edit is "removed" or "changed". */
	readonly kind?: EditKind;
	readonly undoes?: bigint;
}

/** An edit in parts, all of one transaction. */
export function* beginEdit(
	/** Undefined if no history is kept: then there is no edit. */
	authored: Authored | undefined,
	options?: EditOptions,
) {
	return openEdit((yield* askWithCounter()).last, authored, options);
}

function openEdit(
	last: bigint,
	authored: Authored | undefined,
	{ kind, undoes }: EditOptions = {},
) {
	const edit = last + 1n;
	const totals = { added: 0, changed: 0, removed: 0 };
	const counts = createCounts();

	return {
		totals,
		/** Of animals. The end writes them. */
		counts,

		/** Each animal gets a version, which is its position in the feed. */
		*write(replaced: readonly Replaced[]): Work<readonly Written[]> {
			const first = last;
			const written = replaced.map((one): Written => {
				const kind = toKind(one);
				totals[kind]++;
				const position = ++last;
				const { before } = one;
				const after = one.after && { ...one.after, version: position };
				if (before) counts.add(before, -1);
				if (after) counts.add(after, 1);
				const petId = (after ?? before)?.id ?? 0n;
				return { before, after, entry: { petId, kind, position } };
			});
			yield* setCounter(first, last);
			yield* insertRows(
				"pets",
				written.flatMap(({ after }) => (after ? [toPetRow(after)] : [])),
				"replace",
			);
			const removed = written.filter(({ after }) => after === undefined);
			const ids = removed.map(({ entry }) => [entry.petId]);
			for (const { text, values } of toAmong(deletePets, ids))
				yield* run(text, values);
			const entries = written.map(({ entry }) => entry);
			yield* insertRows("changes", entries, "replace");
			if (authored)
				yield* insertRows(
					"history",
					written.map(({ before, entry }) => ({ ...before, ...entry, edit })),
				);
			return written;
		},

		/** `imported` animals were added after all others. Undefined if nothing was changed, or no history is kept. */
		*end(imported = 0): Work<bigint | undefined> {
			totals.added += imported;
			yield* counts.write();
			const { added, changed, removed } = totals;
			if (authored === undefined || added + changed + removed === 0)
				return undefined;
			const found = added + changed === 0 ? "removed" : "changed";
			const row = { id: edit, kind: kind ?? found, ...totals, undoes };
			yield* insertEdit(authored, row);
			return edit;
		},
	};
}

const deletePets = "DELETE FROM pets WHERE id IN (#)";

/** `edit` has the other columns. */
export function insertEdit({ at, by }: Authored, edit: Row): Work<void> {
	const author = withName(toAuthorText(by), by.name);
	return insertRows("edits", [{ ...edit, at, author }]);
}

function toKind({ before, after }: Replaced): ChangeKind {
	if (after === undefined) return "removed";
	return before ? "changed" : "added";
}

export type Counts = ReturnType<typeof createCounts>;

/** What a transaction adds to the numbers of animals. Written once at its end: PostgreSQL walks through all versions of a row that it made. */
export function createCounts() {
	const sums = new Map<PetStatus, Map<bigint, number>>();
	return {
		add({ categoryId, status }: NewPet, pets: number): void {
			const ofStatus = sums.get(status) ?? new Map<bigint, number>();
			sums.set(status, ofStatus);
			ofStatus.set(categoryId, (ofStatus.get(categoryId) ?? 0) + pets);
		},
		*write(): Work<void> {
			const rows: Row[] = [];
			for (const [status, ofStatus] of sums)
				for (const [categoryId, pets] of ofStatus)
					if (pets !== 0) rows.push({ categoryId, status, pets });
			yield* insertRows("counts", rows, "add");
		},
	};
}

function toFind(ids: readonly bigint[]): Parameters<typeof toAmong> {
	const different = [...new Set(ids)].map((id) => [id]);
	return [`SELECT ${petColumns} FROM pets WHERE id IN (#)`, different];
}

export function* findPets(
	ids: readonly bigint[],
): Work<Map<bigint, StoredPet>> {
	const pets = yield* findAmong<StoredPet>(...toFind(ids));
	return new Map(pets.map((pet) => [pet.id, pet]));
}
