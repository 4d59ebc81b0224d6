// Plans an import: compares a part of its lines with the animals of the database. It only reads.
import { setImmediate as nextIteration } from "node:timers/promises";
import { maxInt64 } from "../../domain/json.ts";
import { givenNames } from "../../domain/pet.ts";
import { type LineProblem, ofField } from "../../formats/problem.ts";
import {
	type ImportCheck,
	type ImportCounts,
	type ImportMode,
	maxListedErrors,
	type Staged,
	type StagedPet,
} from "../import.ts";
import { petColumns } from "../rows.ts";
import { type Row, type Sql, tables, toRow } from "./tables.ts";

interface PartPlan {
	readonly problems: readonly LineProblem[];
	readonly added: readonly StagedPet[];
	readonly changed: readonly ChangedPet[];
	readonly unchanged: number;
}

/** Rows of `pets`. */
export interface ChangedPet {
	readonly before: Row;
	readonly after: Row;
}

export interface PartCounts extends ImportCounts {
	readonly problems: readonly LineProblem[];
}

export function toCounts(plan: PartPlan): PartCounts {
	return {
		...plan,
		added: plan.added.length,
		changed: plan.changed.length,
	};
}

export async function checkImport(
	sql: Sql,
	staged: Staged,
	mode: ImportMode,
): Promise<ImportCheck> {
	const { add, toCheck } = createSum();
	for (const pets of staged.read()) {
		add(toCounts(await toPlan[mode](sql, pets)));
		// A service answers requests in between.
		await nextIteration();
	}
	return toCheck();
}

export function createSum() {
	let [added, changed, unchanged, count] = [0, 0, 0, 0];
	const first: LineProblem[] = [];
	return {
		add(part: PartCounts) {
			added += part.added;
			changed += part.changed;
			unchanged += part.unchanged;
			count += part.problems.length;
			first.push(...part.problems.slice(0, maxListedErrors - first.length));
		},
		toCheck: (): ImportCheck => ({
			added,
			changed,
			unchanged,
			problems: { count, first },
		}),
	};
}

/** Animals with ids above `lastId` were added by this import. */
type ToPlan = (
	sql: Sql,
	pets: readonly StagedPet[],
	lastId?: bigint,
) => Promise<PartPlan>;

export const toPlan: Readonly<Record<ImportMode, ToPlan>> = {
	add: async (_sql, pets) => ({
		problems: [],
		added: pets,
		changed: [],
		unchanged: 0,
	}),

	async update(sql, pets, lastId = maxInt64) {
		const ids = pets.flatMap(({ id }) => id ?? []);
		const rows =
			ids.length === 0
				? []
				: await sql(
						`SELECT ${petColumns} FROM petstore.pets WHERE id IN (${ids.join(", ")})`,
					);
		const found = new Map(
			rows.map((row) => [BigInt(row.id ?? 0), toRow(tables.pets, row)]),
		);
		const problems: LineProblem[] = [];
		const added: StagedPet[] = [];
		const changed: ChangedPet[] = [];
		let unchanged = 0;
		for (const pet of pets) {
			const before = found.get(pet.id ?? 0n);
			if (pet.id === null) added.push(pet);
			else if (before === undefined || pet.id > lastId)
				problems.push(toProblem(pet, "id", "id belongs to no animal."));
			else if (pet.version !== null && pet.version !== before.version)
				problems.push(
					toProblem(
						pet,
						"version",
						`version must be ${before.version}: the animal was changed.`,
					),
				);
			else {
				const after = { ...before, ...pet.set };
				if (isEqual(before, after)) unchanged++;
				else changed.push({ before, after });
			}
		}
		return { problems, added, changed, unchanged };
	},
};

function toProblem(
	pet: StagedPet,
	field: "id" | "version",
	message: string,
): LineProblem {
	return { line: pet.line, ...ofField(field, pet[field], message) };
}

/** A row of the database lacks what is NULL. */
function isEqual(before: Row, after: Row): boolean {
	return givenNames.every(
		(name) => (before[name] ?? null) === (after[name] ?? null),
	);
}
