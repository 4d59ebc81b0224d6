// Runs the tests with one PostgreSQL server for all files. Otherwise each file starts its own, which takes two seconds of processor time.
// `bun test/run.ts` runs all files except `*.slow.test.ts`, and `bun test/run.ts slow.test` runs those.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openShared } from "./harness/postgres/server.ts";

const files = process.argv.slice(2);
// For shared machines, where the service can miss its own timeouts.
const { TEST_RETRIES = "0" } = process.env;
const quick = ["--path-ignore-patterns=**/*.slow.test.ts"];
const server = await openShared();
const tests = spawn(
	process.execPath,
	[
		...["test", "--parallel=4", "--timeout=60000", "--only-failures"],
		`--retry=${TEST_RETRIES}`,
		...(files.length === 0 ? quick : files),
	],
	{
		env: { ...process.env, TEST_DATABASE_URL: server.url },
		stdio: "inherit",
	},
);
// A terminal signals the tests too.
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.on(signal, () => tests.kill(signal));
const [status] = await once(tests, "exit");
await server.remove();
process.exit(status ?? 1);
