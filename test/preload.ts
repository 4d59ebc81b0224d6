// Removes the PostgreSQL server that the test files share, and the processes and folders that failed tests have left.
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
