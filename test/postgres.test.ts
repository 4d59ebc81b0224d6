// PostgreSQL: the suite of all engines, and what only a server shows.
import { openStore } from "../src/store/open.ts";
import { createDatabase } from "./postgres-server.ts";
import { storeSuite } from "./store.suite.ts";

storeSuite("postgres", async () => {
	const { url, remove } = await createDatabase();
	return { open: () => openStore(url, { create: true }), remove };
});
