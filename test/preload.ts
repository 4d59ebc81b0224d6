// Ends what the test files share, and what failed tests leave behind.
import { afterAll, afterEach } from "bun:test";
import { removeShared } from "../harness/postgres/server.ts";
import { killLeftovers } from "../harness/process.ts";
import { removeLeftovers } from "../harness/temporary.ts";

for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
afterEach(killLeftovers);
afterAll(async () => {
	await removeShared();
	removeLeftovers();
});
