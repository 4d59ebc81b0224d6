// Texts that are no database URL.
import { expect, test } from "bun:test";
import { readDatabaseUrl } from "../../src/store/database/database-url.ts";

test.each([
	...["foo.db", "pets", "", "sqlite:", "sqlite://data/x.db", "file:x"],
	...["mysql://u:secret@db.example/pets.db", "u:secret@db.example/pets.db"],
	...["postgres://u:se@cr/et@db.example/pets", "postgres://db.example/%zz"],
])("refuses the database %s without repeating it", (url) => {
	expect(() => readDatabaseUrl(url)).toThrow(
		/HOST\/DATABASE, with .*slash\)\.$/,
	);
});
