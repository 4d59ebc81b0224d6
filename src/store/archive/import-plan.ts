// What an import does with a part of its animals, by the animals that the database has. It only reads.
import { setImmediate as nextIteration } from "node:timers/promises";
import { type LineProblem, ofField } from "../../formats/problem.ts";
import {
	type ImportCheck,
	type ImportCounts,
	type ImportMode,
	maxToldErrors,
	type Staged,
	type StagedPet,
} from "../import.ts";
import { type Row, type Sql, tables, toRow, toSelected } from "./tables.ts";

export interface PartPlan {
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

/** The sum of the plans of all parts. */
export function createSum() {
	let [added, changed, unchanged, count] = [0, 0, 0, 0];
	const first: LineProblem[] = [];
	return {
		add(part: PartCounts) {
			added += part.added;
			changed += part.changed;
			unchanged += part.unchanged;
			count += part.problems.length;
			first.push(...part.problems.slice(0, maxToldErrors - first.length));
		},
		toCheck: (): ImportCheck => ({
			...{ added, changed, unchanged },
			problems: { count, first },
		}),
	};
}

type ToPlan = (sql: Sql, pets: readonly StagedPet[]) => Promise<PartPlan>;

export const toPlan: Readonly<Record<ImportMode, ToPlan>> = {
	add: async (_sql, pets) => ({ ...nothing, added: pets }),

	async "keep ids"(sql, pets) {
		const ids = pets.map(({ id }) => id).join(", ");
		const rows = await sql(
			`SELECT id, 0 AS removed FROM petstore.pets WHERE id IN (${ids})
			UNION ALL SELECT pet_id, 1 FROM petstore.changes WHERE kind = 'removed' AND pet_id IN (${ids})`,
		);
		const taken = new Map(
			rows.map(({ id, removed }) => [BigInt(id ?? 0), Number(removed) === 1]),
		);
		const problems = pets.flatMap(({ line, id }): LineProblem[] => {
			const isRemoved = taken.get(id ?? 0n);
			if (isRemoved === undefined) return [];
			const message = isRemoved
				? "id belonged to an animal that was removed."
				: "id is taken.";
			return [{ line, ...ofField("id", id, message) }];
		});
		return { ...nothing, problems, added: pets };
	},

	async update(sql, pets) {
		const found = await findPets(sql, pets);
		const problems: LineProblem[] = [];
		const added: StagedPet[] = [];
		const changed: ChangedPet[] = [];
		let unchanged = 0;
		for (const pet of pets) {
			const before = found.get(pet.id);
			if (pet.id === null) added.push(pet);
			else if (before === undefined)
				problems.push(toProblem(pet, "id", "id belongs to no animal."));
			else if (pet.version !== null && pet.version !== toVersion(before))
				problems.push(
					toProblem(
						pet,
						"version",
						`version must be ${toVersion(before)}: the animal was changed.`,
					),
				);
			else {
				const after = toAfter(before, pet);
				if (isEqual(before, after)) unchanged++;
				else changed.push({ before, after });
			}
		}
		return { problems, added, changed, unchanged };
	},
};

const nothing: PartPlan = {
	...{ problems: [], added: [], changed: [], unchanged: 0 },
};

async function findPets(
	sql: Sql,
	pets: readonly StagedPet[],
): Promise<ReadonlyMap<Row[string], Row>> {
	const ids = pets.flatMap(({ id }) => id ?? []);
	if (ids.length === 0) return new Map();
	const rows = await sql(
		`SELECT ${toSelected(tables.pets)} FROM petstore.pets WHERE id IN (${ids.join(", ")})`,
	);
	return new Map(
		rows.map((found) => {
			const row = toRow(tables.pets, found);
			return [row.id, row];
		}),
	);
}

function toProblem(
	pet: StagedPet,
	field: "id" | "version",
	message: string,
): LineProblem {
	return { line: pet.line, ...ofField(field, pet[field], message) };
}

/** An animal that was not changed has its id as its version. */
function toVersion(pet: Row): Row[string] {
	return pet.version ?? pet.id;
}

function toAfter(before: Row, { name, categoryId, status }: StagedPet): Row {
	return {
		...before,
		name: name ?? before.name,
		categoryId: categoryId ?? before.categoryId,
		status: status ?? before.status,
	};
}

function isEqual(before: Row, after: Row): boolean {
	return (
		before.name === after.name &&
		before.categoryId === after.categoryId &&
		before.status === after.status
	);
}
