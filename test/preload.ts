// Removes the PostgreSQL server that the test files share, and the processes and folders of failed tests.
import { afterAll, afterEach, beforeEach } from "bun:test";
import { removeShared } from "./harness/postgres/server.ts";
import { killLeftovers } from "./harness/process.ts";
import { removeLeftovers } from "./harness/temporary.ts";

for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
// In files with `concurrent`, several tests run at once.
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
