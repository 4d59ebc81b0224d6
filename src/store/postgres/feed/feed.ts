// The feed of changes in PostgreSQL.
import { storeUnavailable } from "../../../domain/errors.ts";
import {
	type ChangeKind,
	entryBytes,
	type Feed,
	type FeedPage,
	type FeedQuery,
	toCounter,
	toEntries,
} from "../../feed.ts";
import { petBytes } from "../../queue/long-page.ts";
import { petColumns } from "../../rows.ts";
import {
	type Database,
	query,
	toStatements,
	withAnswerTimeout,
} from "../database.ts";
import { type PetRow, toPet } from "../rows.ts";
import { createHorizon, type Horizon } from "./horizon.ts";

export function openFeed(db: Database): Feed {
	const readHorizon = createHorizon(db);

	async function read(asked: FeedQuery): Promise<FeedPage | "gone"> {
		const horizon = await readHorizon();
		const from = toCounter(asked.after, horizon);
		if (from === undefined) return "gone";
		const { base, safe } = horizon;
		// Another copy of the service may have given out a later position.
		if (from >= safe) return { entries: [], next: base + from, more: false };
		const { limit, maxBytes } = asked;
		const values = [from, safe, limit + 1, maxBytes];
		const rows = await query<Row>(db, statements.readFeed, values);
		// The content was replaced after the horizon was read. The next read finds that out by the base.
		if (rows[0]?.base !== String(base)) throw storeUnavailable();
		return toPage(rows, horizon, limit);
	}

	return {
		read: (asked) => withAnswerTimeout(read(asked)),
		async last() {
			const { base, safe } = await withAnswerTimeout(readHorizon());
			return base + safe;
		},
	};
}

function toPage(
	rows: readonly Row[],
	{ base, safe }: Horizon,
	limit: number,
): FeedPage {
	const taken = rows
		.flatMap((row) => (row.position === null ? [] : [toFound(row)]))
		.slice(0, limit);
	const { position = safe, count = 0 } = taken.at(-1) ?? {};
	const more = count > taken.length;
	return {
		entries: toEntries(taken, base, ({ pet }) => pet),
		next: base + (more ? position : safe),
		more,
	};
}

/** An empty page is one row without an entry. */
type Row = { readonly base: string } & (EntryRow | { readonly position: null });

type EntryRow = {
	readonly position: string;
	readonly kind: ChangeKind;
	readonly petId: string;
	/** The number of entries, at most the limit + 1, even above the limit of bytes. */
	readonly count: string;
	/** Null members if the animal was removed. */
} & (PetRow | { readonly id: null });

function toFound(row: EntryRow) {
	return {
		position: BigInt(row.position),
		kind: row.kind,
		petId: BigInt(row.petId),
		count: Number(row.count),
		pet: row.id === null ? undefined : toPet(row),
	};
}

const statements = toStatements({
	// The base is read in the same snapshot as the entries.
	readFeed: `
		WITH page AS MATERIALIZED (
			SELECT * FROM (
				(SELECT id AS position, 'added' AS kind, id AS pet_id FROM petstore.pets
					WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3)
				UNION ALL
				(SELECT position, kind, pet_id FROM petstore.changes
					WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3)
			) AS entries ORDER BY position LIMIT $3
		), measured AS (
			SELECT position, kind, pet_id AS "petId", ${petColumns},
				(SELECT count(*) FROM page) AS count,
				sum(${entryBytes} + coalesce(${petBytes("octet_length(name)", "least")}, 0))
					OVER (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
			FROM page LEFT JOIN petstore.pets ON id = pet_id AND kind <> 'removed'
		)
		SELECT feed_base AS base, measured.* FROM petstore.catalogue LEFT JOIN measured ON COALESCE(bytes_before, 0) <= $4
		ORDER BY position`,
});
