// Removes the PostgreSQL server that the test files share, and the processes and folders that failed tests have left.
import { afterAll, afterEach, beforeEach } from "bun:test";
import { removeShared } from "../harness/postgres/server.ts";
import { killLeftovers } from "../harness/process.ts";
import { removeLeftovers } from "../harness/temporary.ts";

for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
// Several tests run at the same time in the files that say `concurrent`.
let running = 0;
beforeEach(() => {
	running++;
});
afterEach(() => {
	running--;
	if (running === 0) killLeftovers();
});
afterAll(async () => {
	await removeShared();
	removeLeftovers();
});
