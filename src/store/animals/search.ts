// Finds animals by status, category, id and a part of the name: for a page, in slices that let other requests in, or for a file, as all
// animals are at one moment.
import { createTurns, turnMs } from "../../domain/async.ts";
import { overloaded } from "../../domain/errors.ts";
import { toMaxId } from "../../domain/pet/cursor.ts";
import type { PetFilter } from "../../domain/pet/filter.ts";
import type { Only, PetStatus, StoredPet } from "../../domain/pet/pet.ts";
import { toComparable } from "../../domain/text.ts";
import type { Engine } from "../database/engine.ts";
import { all, first, type Value, type Work } from "../database/sql.ts";
import { petColumns } from "../database/tables.ts";

/** A search ends after this time with what it has found, and says how far it came. It pauses for other requests. */
export const searchMs = 1_000;

/** Concurrent searches. They take turns. */
const maxSearches = 16;
/** Ids in the first slice, and in a longest one. Animals with long names that all match take 100 times as long as others. */
const [firstRows, maxRows] = [500, 10_000];

export interface Search {
	readonly filter: PetFilter;
	readonly limit: number;
	/** Where it starts: the newest animals come first. */
	readonly maxId: bigint;
	/** Whether it ends after `searchMs` with what it has found. */
	readonly isLimited: boolean;
}

export interface Found {
	readonly pets: readonly StoredPet[];
	/** The last animal that was looked at; undefined if no animal follows it. */
	readonly lastId: bigint | undefined;
}

export function openSearch(engine: Engine): (search: Search) => Promise<Found> {
	const takeTurn = createTurns();
	// PostgreSQL reads beside the event loop, and may wait for a flush.
	const isBlocking = engine.toReadOne !== undefined;
	let searches = 0;

	async function search(asked: Search): Promise<Found> {
		const deadline = performance.now() + searchMs;
		const pets: StoredPet[] = [];
		for (let { maxId } = asked, rows = isBlocking ? firstRows : maxRows; ; ) {
			const limit = asked.limit - pets.length;
			const slice = await takeTurn(async () => {
				const start = performance.now();
				const found = await engine.read(() =>
					readSlice(engine, { ...asked, maxId, limit }, rows),
				);
				// Slower ones are shorter, and faster ones longer.
				const ms = Math.max(performance.now() - start, 1);
				if (isBlocking)
					rows = Math.min(maxRows, Math.ceil((rows * turnMs) / 2 / ms));
				return found;
			});
			pets.push(...slice.pets);
			const { lastId } = slice;
			const isDue = asked.isLimited && performance.now() > deadline;
			if (lastId === undefined || pets.length >= asked.limit || isDue)
				return { pets, lastId };
			maxId = toMaxId(lastId);
		}
	}

	return async (asked) => {
		// It reads no more than a list does.
		if (
			asked.filter.id !== undefined ||
			toCondition(engine, asked.filter, []) === ""
		)
			return engine.read(() => readSlice(engine, asked));
		if (searches >= maxSearches) throw overloaded;
		searches++;
		try {
			return await search(asked);
		} finally {
			searches--;
		}
	};
}

/** The newest animals that fit: of the next `rows` ids, or of all. */
export function* readSlice(
	engine: Engine,
	{ filter, limit, maxId }: Omit<Search, "isLimited">,
	rows?: number,
): Work<Found> {
	const from = toFrom(engine, filter.status);
	const values: Value[] = [maxId, limit + 1];
	let condition = toCondition(engine, filter, values);
	let end = 1n;
	if (rows !== undefined) {
		// There may be no animals with the next ids.
		const newest = yield* first<Pick<StoredPet, "id">>(
			"find newest id",
			`SELECT id ${from} id <= $1 ORDER BY id DESC LIMIT 1`,
			[maxId],
		);
		if (newest === undefined) return { pets: [], lastId: undefined };
		end = newest.id - BigInt(rows) + 1n;
		// As a query: PostgreSQL would look a value up in its statistics, which may be older than most animals, and scan the table.
		condition += ` AND id >= (SELECT CAST($${values.push(end)} AS int8))`;
	}
	const found = yield* all<StoredPet>(
		"search animals",
		`SELECT ${petColumns} ${from} id <= $1${condition} ORDER BY id DESC LIMIT $2 + 0`,
		values,
	);
	const pets = found.slice(0, limit);
	if (found.length > limit) return { pets, lastId: pets.at(-1)?.id };
	return { pets, lastId: end > 1n ? end : undefined };
}

/** The part of a filter without an index, after AND. Adds its values to others. */
function toCondition(
	{ position }: Engine,
	{
		categoryId,
		name = "",
		id,
	}: Only<PetFilter, "categoryId" | "name" | "id" | "status">,
	values: Value[],
): string {
	let condition = "";
	if (categoryId !== undefined)
		condition += ` AND category_id = $${values.push(categoryId)}`;
	if (!mayOccur(name)) condition += " AND false";
	else if (name !== "")
		condition += ` AND ${position}(folded_name, $${values.push(toComparable(name))}) > 0`;
	if (id !== undefined) condition += ` AND id = $${values.push(id)}`;
	return condition;
}

/** A condition for all members of a filter. Adds its values to others. */
export function toFits(
	engine: Engine,
	filter: PetFilter,
	values: Value[],
): string {
	const { status } = filter;
	const isStatus = status === undefined ? "" : ` AND status = '${status}'`;
	return `pets.id IS NOT NULL${isStatus}${toCondition(engine, filter, values)}`;
}

/** Whether a name may have this part. PostgreSQL refuses U+0000, and both engines replace a lone surrogate. */
function mayOccur(part: string): boolean {
	return !part.includes("\0") && part.isWellFormed();
}

/** FROM and the beginning of WHERE. The hint keeps SQLite from scanning the whole table for a status. */
export function toFrom({ toHint }: Engine, status?: PetStatus): string {
	return status === undefined
		? "FROM pets WHERE"
		: `FROM pets ${toHint(status)} WHERE status = '${status}' AND`;
}

/** Animals that an export by a command keeps in memory. */
export const exportRows = 1_000;

export interface PetSnapshot {
	/** The next animals by ascending id. It reads at most `rows` animals before the filter, so a page may be empty. Undefined at the end. */
	readonly next: (rows: number) => Promise<readonly StoredPet[] | undefined>;
	/** The names of categories, by their ids. */
	readonly names: ReadonlyMap<bigint, string>;
	/** Whether SQLite's WAL has grown too much, because no checkpoint passes this snapshot. */
	readonly mustEndSoon: () => boolean;
	readonly close: () => Promise<void>;
}

/** All animals as they are now, for a file. Uses a connection of its own, so that requests do not wait. The caller must close it. */
export async function openPetSnapshot(
	engine: Engine,
	filter: PetFilter,
): Promise<PetSnapshot> {
	const from = toFrom(engine, filter.status);
	const { read, mustEndSoon, close } = await engine.openSnapshot();
	const named = await read(() =>
		all<{ id: bigint; name: string }>(
			"list category names",
			"SELECT id, name FROM categories",
		),
	);
	let after = 0n;
	return {
		names: new Map(named.map(({ id, name }) => [id, name])),
		mustEndSoon,
		close,
		async next(rows) {
			const values: Value[] = [after, rows];
			const fits = `(true${toCondition(engine, filter, values)}) AS fits`;
			const pets = await read(() =>
				all<StoredPet & { readonly fits: unknown }>(
					"export animals",
					`SELECT ${petColumns}, ${fits} ${from} id > $1 ORDER BY id LIMIT $2 + 0`,
					values,
				),
			);
			const last = pets.at(-1);
			if (last === undefined) return undefined;
			after = last.id;
			return pets.filter(({ fits }) => fits);
		},
	};
}
