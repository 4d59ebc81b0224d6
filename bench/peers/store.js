// The animals of a peer in SQLite. Each commit is synced.

/** `db` is a database of bun:sqlite or of better-sqlite3. */
export function openStore(db) {
	db.exec(`PRAGMA journal_mode = WAL;
		PRAGMA synchronous = FULL;
		CREATE TABLE IF NOT EXISTS pets (
			id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
			category_id INTEGER NOT NULL, status TEXT NOT NULL) STRICT;
		CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);`);
	const select = "SELECT id, name, category_id AS categoryId, status FROM pets";
	const listAll = db.prepare(`${select} WHERE id < ? ORDER BY id DESC LIMIT ?`);
	const listByStatus = db.prepare(
		`${select} WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?`,
	);
	const get = db.prepare(`${select} WHERE id = ?`);
	const add = db.prepare(
		"INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)",
	);
	return {
		/** Returns a page of checked parameters, with the Link to the next one. */
		list({ limit = "20", status, cursor = Number.MAX_SAFE_INTEGER }) {
			const before = Number(cursor);
			// One extra row shows whether another page follows.
			const size = Number(limit) + 1;
			const pets =
				status === undefined
					? listAll.all(before, size)
					: listByStatus.all(status, before, size);
			if (pets.length < size) return { pets, headers: {} };
			pets.pop();
			const filter = status === undefined ? "" : `status=${status}&`;
			const next = `/v1/pets?limit=${limit}&${filter}cursor=${pets.at(-1).id}`;
			return { pets, headers: { Link: `<${next}>; rel="next"` } };
		},
		/** Undefined or null if no animal has the id. */
		get: (id) => get.get(id),
		add: (...values) => Number(add.run(...values).lastInsertRowid),
	};
}
