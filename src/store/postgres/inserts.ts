// Inserts of PostgreSQL: a parameter for each column, so that any number of rows has the same statement. And the adds of a batch, in one
// statement and round trip. It follows the lock of all writers, so it sees what they have committed.
import { petStatuses } from "../../domain/pet/pet.ts";
import { idempotencyLifetimeMs } from "../../limits.ts";
import { toAddedRow, toKeyText, toRepeated } from "../animals/add.ts";
import type { Added, Addition } from "../database/engine.ts";
import {
	type Insertion,
	inParts,
	memoize,
	type OnConflict,
	type Row,
	type Statement,
	toInsert,
	type Work,
} from "../database/sql.ts";
import { newestState } from "../database/state.ts";
import { type TableName, tables, toSqlName } from "../database/tables.ts";
import { placeOfStatus } from "../edits/totals.ts";

export function toArrayInserts({
	name,
	rows,
	onConflict,
}: Insertion): readonly Statement[] {
	const text = toText(name, onConflict);
	const columns = Object.keys(tables[name].columns);
	return [...inParts(rows)].map((part) => ({
		name: `insert ${name}`,
		text,
		values: toArrays(part, columns),
	}));
}

const toText = memoize((name: TableName, onConflict: OnConflict) => {
	const rules = Object.values(tables[name].columns);
	return toInsert(name, `SELECT * FROM ${toUnnest(rules)}`, onConflict);
});

/** The rows of `toArrays`, from columns with these rules. */
function toUnnest(rules: readonly string[]): string {
	const arrays = rules.map(
		(rule, at) =>
			`$${at + 1}::${rule.startsWith("INTEGER") ? "int8" : "text"}[]`,
	);
	return `unnest(${arrays.join(", ")})`;
}

/** `{1,NULL,"a"}` for each column. The library takes longer for it. */
function toArrays(rows: readonly Row[], columns: readonly string[]): string[] {
	return columns.map((column) => {
		const elements = rows.map((row) => {
			const value = row[column];
			return typeof value === "string"
				? `"${value.replace(/["\\]/g, "\\$&")}"`
				: (value ?? "NULL");
		});
		return `{${elements.join(",")}}`;
	});
}

/** Without those that the statement draws. */
const petColumns = Object.entries(tables.pets.columns).filter(
	([name]) => name !== "id" && name !== "version",
);
const keyColumns = Object.entries(tables.idempotencyKeys.columns).filter(
	([name]) => name !== "petId",
);
const askedColumns = [...petColumns, ...keyColumns];
const askedNames = askedColumns.map(([name]) => name);
const askedRules = askedColumns.map(([, rule]) => rule);

const toSql = (some: typeof askedColumns) =>
	some.map(([name]) => toSqlName(name)).join(", ");

const toCounted = (status: string) =>
	`${status} + (SELECT count(*) FROM asked WHERE known IS NULL AND status = '${status}')`;

/** An Idempotency-Key that is stored and has not expired is `known`: its animal is not added. LATERAL looks each key up by the index. */
const addAll = `
	WITH asked AS MATERIALIZED (
		SELECT asked.*, stored.fingerprint AS known, stored.pet_id, stored.used_at AS known_at,
			count(*) FILTER (WHERE stored.fingerprint IS NULL) OVER (ORDER BY index) AS number
		FROM ${toUnnest(askedRules)} WITH ORDINALITY AS asked (${toSql(askedColumns)}, index)
		LEFT JOIN LATERAL (
			SELECT fingerprint, pet_id, used_at FROM idempotency_keys AS stored
			WHERE stored.owner = asked.owner AND stored.key = asked.key
				AND stored.used_at + ${idempotencyLifetimeMs} > asked.used_at LIMIT 1
		) AS stored ON true
	), drawn AS (
		INSERT INTO counter (number, last, base, course, deltas, folded, ${petStatuses.join(", ")})
		SELECT number + 1, last + (SELECT max(number) FROM asked), base, course, (
			SELECT coalesce(json_object_agg(${placeOfStatus} || CAST(category_id AS text), pets), '{}') FROM (
				SELECT category_id, status, count(*) AS pets FROM asked WHERE known IS NULL GROUP BY category_id, status
			) AS counted
		), folded, ${petStatuses.map(toCounted).join(", ")} ${newestState}
		RETURNING last - (SELECT max(number) FROM asked) AS before
	), fresh AS (
		SELECT asked.*, before + number AS id FROM asked, drawn WHERE known IS NULL
	), added AS (
		INSERT INTO pets (id, version, ${toSql(petColumns)}) SELECT id, id, ${toSql(petColumns)} FROM fresh
	), saved AS (
		INSERT INTO idempotency_keys (pet_id, ${toSql(keyColumns)})
		SELECT id, ${toSql(keyColumns)} FROM fresh WHERE key IS NOT NULL
		ON CONFLICT (owner, key) DO UPDATE
			SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id, used_at = excluded.used_at
	)
	SELECT coalesce(pet_id, before + number) AS id, known, known_at AS "knownAt" FROM asked, drawn ORDER BY index`;

/** The id of the animal; and if its Idempotency-Key was stored before, its fingerprint and time. */
interface AddedRow {
	readonly id: bigint;
	readonly known: string | null;
	readonly knownAt: bigint | null;
}

/** As `addPets` of both engines does it. */
export function* addPetsAtOnce(
	additions: readonly Addition[],
): Work<readonly Added[]> {
	// Of several additions with the same Idempotency-Key, only the first is sent.
	const sent: Addition[] = [];
	const indexes = new Map<string, number>();
	const places = additions.map((addition) => {
		const name = addition.idempotency && toKeyText(addition.idempotency);
		const index = name === undefined ? undefined : indexes.get(name);
		if (index !== undefined) return { index, isFirst: false };
		if (name !== undefined) indexes.set(name, sent.length);
		return { index: sent.push(addition) - 1, isFirst: true };
	});
	const rows = sent.map((addition) => {
		const { at: usedAt, ...idempotency } = addition.idempotency ?? {};
		return { ...toAddedRow(addition), ...idempotency, usedAt };
	});
	const values = toArrays(rows, askedNames);
	const [found = []]: readonly (readonly AddedRow[])[] = yield {
		asks: [{ name: "add animals", text: addAll, values }],
		isLast: true,
	};
	return additions.map((addition, at): Added => {
		const { index = 0, isFirst = true } = places[at] ?? {};
		const { id = 0n, known = null, knownAt } = found[index] ?? {};
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
