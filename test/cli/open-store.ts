// The process of killed-backups.test.ts that migrates a database: says when it begins, opens the store, and ends.
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open.ts";

const [url = ""] = process.argv.slice(2);
writeSync(1, "begins\n");
const store = await openStore(url, { create: false });
await store.close();
process.exit();
