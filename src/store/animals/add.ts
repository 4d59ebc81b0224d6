// Adds animals, with their Idempotency-Keys, as a part of one transaction.
import type { Authored } from "../../domain/access/author.ts";
import { toComparable } from "../../domain/text.ts";
import { idempotencyLifetimeMs } from "../../limits.ts";
import type { Added, Addition, Idempotency } from "../database/engine.ts";
import {
	foldedRows,
	insertRows,
	mayPause,
	type Row,
	toAmong,
	type Work,
} from "../database/sql.ts";
import { toSelected } from "../database/tables.ts";
import { insertEdit } from "../edits/edit.ts";
import {
	askWithState,
	createPetTotals,
	moveState,
	type PetTotals,
} from "../edits/totals.ts";

/** One, as an edit, which can be undone. */
export function* addAsEdit(
	addition: Addition,
	authored: Authored,
): Work<Added> {
	const [added] = yield* addPets([addition]);
	if (added?.outcome !== "added") return added ?? { outcome: "mismatch" };
	const { id } = added;
	const entry = { petId: id, position: id, kind: "added", edit: id };
	yield* insertRows("history", [entry]);
	const totals = { added: 1, changed: 0, removed: 0 };
	yield* insertEdit(authored, { id, kind: "changed", ...totals });
	return added;
}

export function* addPets(additions: readonly Addition[]): Work<Added[]> {
	const keys = toKeys(additions);
	const { last, rows } = yield* askWithState<StoredKey>(
		toAmong(
			"find Idempotency-Keys",
			findKeys,
			[...keys.values()].map(({ owner, key }) => [owner, key]),
		),
	);
	const petTotals = createPetTotals();
	return yield* insertPets(
		additions,
		last,
		petTotals,
		petTotals,
		toStored(keys, rows),
	);
}

/** Adds them after the id `last`, without a question, but writes only the `written` numbers. */
export function* insertPets(
	additions: readonly Addition[],
	last: bigint,
	petTotals: PetTotals,
	written?: PetTotals,
	stored = new Map<string, StoredAddition>(),
): Work<Added[]> {
	let id = last;
	const pets: Row[] = [];
	const saved: Row[] = [];
	const results: Added[] = [];
	for (const addition of additions) {
		if (results.length % foldedRows === foldedRows - 1) yield mayPause;
		const { pet, idempotency } = addition;
		const known = idempotency && stored.get(toKeyText(idempotency));
		if (known) {
			results.push(toRepeated(addition, known));
			continue;
		}
		id++;
		if (idempotency !== undefined) {
			const { owner, key, fingerprint, at } = idempotency;
			stored.set(toKeyText(idempotency), { fingerprint, id, at });
			saved.push({ owner, key, fingerprint, petId: id, usedAt: at });
		}
		pets.push(toAddedRow(addition, id));
		petTotals.add(pet, 1);
		results.push({ outcome: "added", id });
	}
	yield* moveState(last, id, written);
	yield* insertRows("pets", pets);
	// An expired one may still exist.
	yield* insertRows("idempotencyKeys", saved, "replace");
	return results;
}

/** An animal. PostgreSQL gives it its id itself. */
export function toAddedRow({ pet, origin }: Addition, id = 0n): Row {
	const { at: addedAt = Date.now(), by: addedBy = null } = origin ?? {};
	const foldedName = toComparable(pet.name);
	return { ...pet, id, version: id, addedAt, addedBy, foldedName };
}

/** The outcome of an addition whose Idempotency-Key is stored. */
export function toRepeated(
	{ idempotency }: Addition,
	{ fingerprint, id, at }: StoredAddition,
): Added {
	return fingerprint === idempotency?.fingerprint
		? { outcome: "replayed", id, at }
		: { outcome: "mismatch" };
}

/** The Idempotency-Keys of a batch, by name. */
function toKeys(
	additions: readonly Addition[],
): ReadonlyMap<string, Idempotency> {
	const keys = new Map<string, Idempotency>();
	for (const { idempotency } of additions)
		if (idempotency && !keys.has(toKeyText(idempotency)))
			keys.set(toKeyText(idempotency), idempotency);
	return keys;
}

/** A row of an Idempotency-Key. */
interface StoredKey {
	readonly owner: string;
	readonly key: string;
	readonly fingerprint: string;
	readonly petId: bigint;
	readonly usedAt: bigint;
}

interface StoredAddition {
	readonly fingerprint: string;
	readonly id: bigint;
	readonly at: number;
}

/** What is stored under the Idempotency-Keys that have not expired. */
function toStored(
	keys: ReadonlyMap<string, Idempotency>,
	rows: readonly StoredKey[],
): Map<string, StoredAddition> {
	const stored = new Map<string, StoredAddition>();
	for (const { owner, key, fingerprint, petId, usedAt } of rows) {
		const name = toKeyText({ owner, key });
		const at = Number(usedAt);
		if (at > (keys.get(name)?.at ?? 0) - idempotencyLifetimeMs)
			stored.set(name, { fingerprint, id: petId, at });
	}
	return stored;
}

const findKeys = `SELECT ${toSelected("idempotencyKeys")} FROM idempotency_keys WHERE (owner, key) IN (VALUES #)`;

/** Neither part can contain a space. */
export function toKeyText({
	owner,
	key,
}: Pick<Idempotency, "owner" | "key">): string {
	return `${owner} ${key}`;
}
