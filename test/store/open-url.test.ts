// What a database URL says about how the database is reached.
import { expect, test } from "bun:test";
import { readDatabaseUrl } from "../../src/store/database-url.ts";
import { findPlainHost } from "../../src/store/store.ts";

test.each([
	["sqlite:petstore.db", undefined],
	["postgres://u:p@db.example/pets", "db.example"],
	["postgres://u:p@db.example/pets?sslmode=disable", "db.example"],
	["postgres://u:p@db.example/pets?sslmode=require", undefined],
	["postgresql://u:p@10.0.0.1:6432/pets", "10.0.0.1"],
	["postgres://u@[fd00::1]/pets", "fd00::1"],
	["postgres:///pets?host=/var/run/postgresql", undefined],
	["postgres://u@%2Fvar%2Frun%2Fpostgresql/pets", undefined],
	["postgres:///pets?host=db.example", "db.example"],
	["postgres://localhost/pets", "localhost"],
	["postgres:///pets", "localhost"],
	["postgres://u:p@db.example/pets?ssl=true", undefined],
])("finds the host that %s reaches without TLS: %p", async (url, host) => {
	expect(await findPlainHost(url)).toBe(host);
});

test("reads the variables of PostgreSQL too", async () => {
	process.env.PGHOST = "db.example";
	expect(await findPlainHost("postgres:///pets")).toBe("db.example");
	process.env.PGSSLMODE = "require";
	expect(await findPlainHost("postgres:///pets")).toBe(undefined);
	delete process.env.PGHOST;
	delete process.env.PGSSLMODE;
});

test.each([
	...["foo.db", "pets", "", "sqlite:", "sqlite://data/x.db", "file:x"],
	...["mysql://u:secret@db.example/pets.db", "u:secret@db.example/pets.db"],
])("refuses the database %s without repeating it", (url) => {
	expect(() => readDatabaseUrl(url)).toThrow(/HOST\/DATABASE\.$/);
});
