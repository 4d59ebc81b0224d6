// Changes and removes animals, with their entries in feed and history. Each function is a part of one transaction, and no other one writes
// at the same time.
import type { Authored } from "../domain/author.ts";
import { toComparable } from "../domain/comparable.ts";
import { idsExhausted } from "../domain/errors.ts";
import { maxInt64 } from "../domain/json.ts";
import {
	givenNames,
	type NewPet,
	type StoredPet,
	toWhole,
} from "../domain/pet.ts";
import type { VersionCondition } from "../domain/version.ts";
import {
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
	/** Puts a removed animal back, with this and all members of `set`. Without it, a removed animal counts as missing. */
	readonly putBack?: Pick<StoredPet, "addedAt" | "addedBy"> | undefined;
}

export type Changed =
	/** For each change, its animal after all changes; undefined if it was removed. */
	| {
			readonly outcome: "changed";
			readonly pets: readonly (FoundPet | undefined)[];
			/** Undefined if nothing had to be changed, or no history is kept. */
			readonly edit?: bigint | undefined;
	  }
	| ChangeRefused;

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
	const ids = calls.flatMap(({ changes }) => changes.map(({ petId }) => petId));
	const { last, epoch, rows } = yield* askWithCounter<StoredPet>(toFind(ids));
	const pets = new Map(rows.map((pet) => [pet.id, pet]));
	const written: Written[] = [];
	const edits: Row[] = [];
	const results = calls.map(({ changes, authored }): Changed => {
		const after = toChanged(changes, pets, epoch);
		if ("outcome" in after) return after;
		const start = written.length;
		const edit = authored ? last + BigInt(start + 1) : undefined;
		for (const [id, content] of after) {
			const before = pets.get(id);
			if (hasSameContent(before, content)) continue;
			const position = last + BigInt(written.length + 1);
			const pet = content && { ...content, version: position };
			written.push({ id, before, after: pet, position, edit });
			if (pet) pets.set(id, pet);
			else pets.delete(id);
		}
		const own = written.slice(start);
		const isEdit = authored && edit !== undefined && own.length > 0;
		if (isEdit)
			edits.push(toEditRow(edit, toEditKind(own), authored, toTotals(own)));
		return {
			outcome: "changed",
			edit: isEdit ? edit : undefined,
			pets: changes.map(({ petId }) => {
				const pet = pets.get(petId);
				return pet && { ...pet, epoch };
			}),
		};
	});
	yield* setCounter(last, last + BigInt(written.length));
	const counts = createCounts();
	yield* save(written, counts);
	yield* counts.write();
	yield* insertRows("edits", edits);
	return results;
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
		after.set(petId, set && toPet(pet, petId, { ...set }, putBack));
	}
	return after;
}

/** `set` has all members of an animal that is put back. */
function toPet(
	pet: StoredPet | undefined,
	id: bigint,
	set: Partial<NewPet>,
	origin: PetChange["putBack"],
): StoredPet {
	if (pet !== undefined) return { ...pet, ...set };
	const { addedAt = null, addedBy = null } = origin ?? {};
	const whole = toWhole(set as NewPet);
	return { ...whole, id, version: 0n, addedAt, addedBy };
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

interface Written {
	readonly id: bigint;
	readonly before: StoredPet | undefined;
	/** With its position as its version; undefined if the animal is removed. */
	readonly after: StoredPet | undefined;
	readonly position: bigint;
	/** Undefined if no history is kept. */
	readonly edit: bigint | undefined;
}

/** An animal that is changed, removed or put back. */
export type Replaced = Pick<Written, "before" | "after">;

/** An edit in parts, all of one transaction. */
export function* beginEdit(
	kind: EditKind,
	/** Undefined if no history is kept: then there is no edit. */
	authored: Authored | undefined,
	undoes?: bigint,
) {
	const id = (yield* askWithCounter()).last + 1n;
	const totals = toTotals([]);
	const counts = createCounts();
	return {
		/** Of animals. The end writes them. */
		counts,
		/** Each animal gets a version, which is its position in the feed. */
		*write(replaced: readonly Replaced[]): Work<void> {
			if (replaced.length === 0) return;
			const { last } = yield* askWithCounter();
			const written = replaced.map(({ before, after }, at): Written => {
				const position = last + BigInt(at + 1);
				const petId = (after ?? before)?.id ?? 0n;
				const pet = after && { ...after, version: position };
				const edit = authored && id;
				return { id: petId, before, after: pet, position, edit };
			});
			toTotals(written, totals);
			yield* setCounter(last, last + BigInt(written.length));
			yield* save(written, counts);
		},
		/** `imported` animals were added after all others. Undefined if nothing was changed, or no history is kept. */
		*end(imported = 0): Work<bigint | undefined> {
			totals.added += imported;
			yield* counts.write();
			const { added, changed, removed } = totals;
			if (authored === undefined || added + changed + removed === 0)
				return undefined;
			const row = toEditRow(id, kind, authored, totals);
			yield* insertRows("edits", [{ ...row, undoes }]);
			return id;
		},
	};
}

function toTotals(
	written: readonly Written[],
	totals = { added: 0, changed: 0, removed: 0 },
) {
	for (const one of written) totals[toKind(one)]++;
	return totals;
}

function toEditKind(written: readonly Written[]): EditKind {
	const isRemoval = written.every(({ after }) => after === undefined);
	return isRemoval ? "removed" : "changed";
}

function toEditRow(
	id: bigint,
	kind: EditKind,
	{ at, by }: Authored,
	totals: ReturnType<typeof toTotals>,
): Row {
	const author = { byKind: by.kind, byId: by.keyId, byName: by.name };
	return { id, at, kind, ...author, ...totals };
}

function* save(written: readonly Written[], counts: Counts): Work<void> {
	if (written.length === 0) return;
	// Of several changes of an animal, the tables have the last. PostgreSQL refuses a row twice in one INSERT.
	const lasts = [...new Map(written.map((one) => [one.id, one])).values()];
	yield* insertRows(
		"pets",
		lasts.flatMap(({ after }) => (after ? [toPetRow(after)] : [])),
		"replace",
	);
	const removed = lasts.filter(({ after }) => after === undefined);
	for (const { text, values } of toAmong(
		"DELETE FROM pets WHERE",
		"id",
		removed.map(({ id }) => [id]),
	))
		yield* run(text, values);
	yield* insertRows(
		"changes",
		lasts.map((one) => ({
			petId: one.id,
			position: one.position,
			kind: toKind(one),
		})),
		"replace",
	);
	for (const { before, after } of written) {
		if (before) counts.add(before, -1);
		if (after) counts.add(after, 1);
	}
	yield* insertRows("history", written.flatMap(toHistory));
}

function toHistory(one: Written): readonly Row[] {
	const { position, edit, id: petId } = one;
	if (edit === undefined) return [];
	return [{ ...one.before, edit, position, petId, kind: toKind(one) }];
}

function toKind({ before, after }: Written): ChangeKind {
	if (after === undefined) return "removed";
	return before ? "changed" : "added";
}

export type Counts = ReturnType<typeof createCounts>;

/** What a transaction adds to the numbers of animals. Written once at its end: PostgreSQL walks through all versions of a row that it made. */
export function createCounts() {
	const sums = new Map<string, Count>();
	return {
		add({ categoryId, status }: NewPet, pets: number): void {
			const name = `${categoryId} ${status}`;
			const sum = sums.get(name);
			if (sum) sum.pets += pets;
			else sums.set(name, { categoryId, status, pets });
		},
		*write(): Work<void> {
			const rows = [...sums.values()].filter(({ pets }) => pets !== 0);
			yield* insertRows("counts", rows, "add");
		},
	};
}

interface Count extends Pick<NewPet, "categoryId" | "status"> {
	pets: number;
	readonly [column: string]: string | number | bigint;
}

function toFind(ids: readonly bigint[]): readonly Statement[] {
	const different = [...new Set(ids)].map((id) => [id]);
	return toAmong(`SELECT ${petColumns} FROM pets WHERE`, "id", different);
}

export function* findPets(
	ids: readonly bigint[],
): Work<Map<bigint, StoredPet>> {
	const asks = toFind(ids);
	const pets: readonly StoredPet[] =
		asks.length === 0 ? [] : (yield { asks }).flat();
	return new Map(pets.map((pet) => [pet.id, pet]));
}
