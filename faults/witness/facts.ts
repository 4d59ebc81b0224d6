// What clients have learned from replies, as texts, and the same texts of what the database has now. History and edits keep what was, so
// that each fact stays true.
import { Database } from "bun:sqlite";
import { Client } from "pg";

/** The members of replies, of all kinds. */
export interface Body {
	readonly id?: number;
	readonly petId?: number;
	readonly name?: string;
	readonly status?: string;
	readonly version?: number;
	readonly position?: number;
	readonly kind?: string;
	readonly edit?: number | Body;
	readonly added?: number;
	readonly changed?: number;
	readonly removed?: number;
	readonly next?: number;
	readonly before?: Body;
	/** An animal, or their number. */
	readonly pet?: Body;
	readonly pets?: readonly Body[] | number;
	readonly entries?: readonly Body[];
	readonly edits?: readonly Body[];
	readonly changes?: readonly Body[];
	readonly categories?: readonly Body[];
}

/** A list of animals, or their lines, count as a body with `pets`. */
export function toBody(text: string): Body {
	if (text.startsWith("[")) return { pets: JSON.parse(text) };
	const lines = text.split("\n").filter((line) => line !== "");
	return text.endsWith("\n") || lines.length === 0
		? { pets: lines.map((line) => JSON.parse(line)) }
		: JSON.parse(text);
}

export function toFacts(body: Body): readonly string[] {
	const { id, petId, name, version, kind, edit, added, changed } = body;
	const { pets = [], entries = [], edits = [], categories = [] } = body;
	const parts = [body.before, body.pet, edit, entries, edits, body.changes];
	const facts = [...parts, pets, categories]
		.flat()
		.flatMap((part) => (typeof part === "object" ? toFacts(part) : []));
	if (petId !== undefined && typeof edit === "number")
		facts.push(`entry ${edit} ${petId} ${kind}`);
	if (added !== undefined && id !== undefined)
		facts.push(`edit ${id} ${kind} ${added} ${changed} ${body.removed}`);
	if (name === undefined) return facts;
	facts.push(`named ${name}`);
	// A category counts its animals.
	if (typeof pets === "number") return [...facts, `category ${id} ${name}`];
	if (version !== undefined) facts.push(`version ${version} ${id} ${name}`);
	return [...facts, `pet ${id} ${name}`];
}

export async function readTruth(url: string): Promise<ReadonlySet<string>> {
	if (url.startsWith("sqlite:")) {
		using database = new Database(url.slice(7), { readonly: true });
		const rows = database.query<{ fact: string }, []>(selectTruth).all();
		return new Set(rows.map(({ fact }) => fact));
	}
	const client = new Client(url);
	await client.connect();
	await client.query("SET search_path = petstore");
	const { rows } = await client.query<{ fact: string }>(selectTruth);
	await client.end();
	return new Set(rows.map(({ fact }) => fact));
}

const selectTruth = `
	WITH versions AS (
		SELECT coalesce(position, id) AS version, id, name FROM pets LEFT JOIN changes ON pet_id = id
		UNION ALL SELECT lag(position, 1, pet_id) OVER (PARTITION BY pet_id ORDER BY position), pet_id, name FROM history
	)
	SELECT concat_ws(' ', 'version', version, id, name) AS fact FROM versions
	UNION ALL SELECT concat_ws(' ', 'pet', id, name) FROM versions
	UNION ALL SELECT 'named ' || name FROM versions
	UNION ALL SELECT 'named ' || name FROM categories
	UNION ALL SELECT concat_ws(' ', 'category', id, name) FROM categories
	UNION ALL SELECT concat_ws(' ', 'entry', edit, pet_id, kind) FROM history
	UNION ALL SELECT concat_ws(' ', 'no', pet_id) FROM history WHERE kind = 'removed'
	UNION ALL SELECT concat_ws(' ', 'edit', id, kind, added, changed, removed) FROM edits`;
