// Adds of a batch in PostgreSQL: one statement, since the adds of a batch are most of the work of a service. It runs after the lock of all
// writers was taken, so it sees what they have committed.
import { toComparable } from "../../domain/comparable.ts";
import { fields, givenNames } from "../../domain/pet.ts";
import { idempotencyLifetimeMs } from "../../limits.ts";
import { type Added, type Addition, toName, toRepeated } from "../adds.ts";
import { toSqlName } from "../tables.ts";

const petColumns = givenNames.map(toSqlName).join(", ");
const added = `${petColumns}, folded_name, added_at, added_by`;
const types = [
	...givenNames.map((name) =>
		fields[name].type.column === "TEXT" ? "text" : "int8",
	),
	...["text", "int8", "text"],
	...["text", "text", "text", "int8"],
];
const arrays = types.map((type, at) => `$${at + 1}::${type}[]`).join(", ");

/** An Idempotency-Key that is stored and has not expired is `known`: its animal is not added. LATERAL looks each key up by the index. */
const text = `
	WITH asked AS MATERIALIZED (
		SELECT asked.*, stored.fingerprint AS known, stored.pet_id, stored.used_at AS known_at,
			sum(CASE WHEN stored.fingerprint IS NULL THEN 1 ELSE 0 END) OVER (ORDER BY index) AS number
		FROM unnest(${arrays}) WITH ORDINALITY AS asked (${added}, owner, key, fingerprint, used_at, index)
		LEFT JOIN LATERAL (
			SELECT fingerprint, pet_id, used_at FROM idempotency_keys AS stored
			WHERE stored.owner = asked.owner AND stored.key = asked.key
				AND stored.used_at > asked.used_at - ${idempotencyLifetimeMs} LIMIT 1
		) AS stored ON true
	), drawn AS (
		UPDATE counter SET last = last + (SELECT max(number) FROM asked)
		RETURNING last - (SELECT max(number) FROM asked) AS before
	), fresh AS (
		SELECT asked.*, before + number AS id FROM asked, drawn WHERE known IS NULL
	), added AS (
		INSERT INTO pets (id, version, ${added}) SELECT id, id, ${added} FROM fresh
	), counted AS (
		INSERT INTO counts (category_id, status, pets)
		SELECT category_id, status, count(*) FROM fresh GROUP BY category_id, status
		ON CONFLICT (category_id, status) DO UPDATE SET pets = counts.pets + excluded.pets
	), saved AS (
		INSERT INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
		SELECT owner, key, fingerprint, id, used_at FROM fresh WHERE key IS NOT NULL
		ON CONFLICT (owner, key) DO UPDATE
			SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at
	)
	SELECT coalesce(pet_id, before + number) AS id, known, known_at AS "knownAt" FROM asked, drawn ORDER BY index`;

/** `ask` runs the statement. */
export async function addPets(
	additions: readonly Addition[],
	ask: (text: string, values: readonly unknown[]) => Promise<readonly Row[]>,
): Promise<readonly Added[]> {
	// Of several additions with the same Idempotency-Key, only the first is sent.
	const sent: Addition[] = [];
	const indexes = new Map<string, number>();
	const places = additions.map((addition) => {
		const name = addition.idempotency && toName(addition.idempotency);
		const known = name === undefined ? undefined : indexes.get(name);
		if (known !== undefined) return { index: known, isFirst: false };
		if (name !== undefined) indexes.set(name, sent.length);
		return { index: sent.push(addition) - 1, isFirst: true };
	});
	const rows = await ask(text, toValues(sent));
	return additions.map((addition, at): Added => {
		const { index = 0, isFirst = true } = places[at] ?? {};
		const { id = 0n, known = null, knownAt } = rows[index] ?? {};
		if (known !== null)
			return toRepeated(addition, {
				fingerprint: known,
				id,
				at: Number(knownAt),
			});
		const first = sent[index]?.idempotency;
		return isFirst || first === undefined
			? { outcome: "added", id }
			: toRepeated(addition, { ...first, id });
	});
}

/** The id of the animal; and if its Idempotency-Key was stored before, its fingerprint and time. */
interface Row {
	readonly id: bigint;
	readonly known: string | null;
	readonly knownAt: bigint | null;
}

function toValues(additions: readonly Addition[]): readonly unknown[] {
	const now = Date.now();
	return [
		...givenNames.map((name) => additions.map(({ pet }) => pet[name])),
		additions.map(({ pet }) => toComparable(pet.name)),
		additions.map(({ origin }) => origin?.at ?? now),
		additions.map(({ origin }) => origin?.by ?? null),
		additions.map(({ idempotency }) => idempotency?.owner ?? null),
		additions.map(({ idempotency }) => idempotency?.key ?? null),
		additions.map(({ idempotency }) => idempotency?.fingerprint ?? null),
		additions.map(({ idempotency }) => idempotency?.at ?? null),
	];
}
