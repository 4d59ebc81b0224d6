// Adds animals, with their Idempotency-Keys, as a part of one transaction.

import type { NewPet } from "../domain/pet.ts";
import { toComparable } from "../domain/text.ts";
import { idempotencyLifetimeMs } from "../limits.ts";
import {
	askWithCounter,
	type Counts,
	createCounts,
	setCounter,
} from "./edit.ts";
import { insertRows, type Row, toAmong, type Work } from "./sql.ts";
import { toSelected } from "./tables.ts";

export interface Addition {
	readonly pet: NewPet;
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

export function* addPets(additions: readonly Addition[]): Work<Added[]> {
	const counts = createCounts();
	const added = yield* insertPets(additions, counts);
	yield* counts.write();
	return added;
}

/** The same, but does not write `counts`. */
export function* insertPets(
	additions: readonly Addition[],
	counts: Counts,
): Work<Added[]> {
	const asked = toAsked(additions);
	const { last, rows } = yield* askWithCounter<StoredKey>(
		toAmong(
			"find Idempotency-Keys",
			findKeys,
			[...asked.values()].map(({ owner, key }) => [owner, key]),
		),
	);
	const stored = toStored(asked, rows);
	let id = last;
	const pets: Row[] = [];
	const saved: Row[] = [];
	const results = additions.map((addition): Added => {
		const { pet, idempotency } = addition;
		const known = idempotency && stored.get(toName(idempotency));
		if (known) return toRepeated(addition, known);
		id++;
		if (idempotency !== undefined) {
			const { owner, key, fingerprint, at } = idempotency;
			stored.set(toName(idempotency), { fingerprint, id, at });
			saved.push({ owner, key, fingerprint, petId: id, usedAt: at });
		}
		pets.push(toAddedRow(addition, id));
		counts.add(pet, 1);
		return { outcome: "added", id };
	});
	yield* setCounter(last, id);
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
function toAsked(
	additions: readonly Addition[],
): ReadonlyMap<string, Idempotency> {
	const asked = new Map<string, Idempotency>();
	for (const { idempotency } of additions)
		if (idempotency && !asked.has(toName(idempotency)))
			asked.set(toName(idempotency), idempotency);
	return asked;
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
	asked: ReadonlyMap<string, Idempotency>,
	rows: readonly StoredKey[],
): Map<string, StoredAddition> {
	const stored = new Map<string, StoredAddition>();
	for (const { owner, key, fingerprint, petId, usedAt } of rows) {
		const name = toName({ owner, key });
		const at = Number(usedAt);
		if (at > (asked.get(name)?.at ?? 0) - idempotencyLifetimeMs)
			stored.set(name, { fingerprint, id: petId, at });
	}
	return stored;
}

const findKeys = `SELECT ${toSelected("idempotencyKeys")} FROM idempotency_keys WHERE (owner, key) IN (VALUES #)`;

/** Neither part can contain a space. */
export function toName({
	owner,
	key,
}: Pick<Idempotency, "owner" | "key">): string {
	return `${owner} ${key}`;
}
