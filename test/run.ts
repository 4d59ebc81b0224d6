// Runs the tests with one PostgreSQL server for all files. Otherwise each file starts its own, which takes two seconds of processor time.
// `bun test/run.ts` runs all files except `*.slow.test.ts`, and `bun test/run.ts slow.test` runs those. Prints which file runs and how many
// there are, what fails, and the command that runs a failed test again alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { openShared } from "./harness/postgres/server.ts";
import { root } from "./harness/process.ts";

const files = process.argv.slice(2);
const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].filter(
	(path) =>
		files.length === 0
			? !path.endsWith(".slow.test.ts")
			: files.some((part) => path.includes(part)),
);
// For shared machines, where the service can miss its own timeouts.
const { TEST_RETRIES = "0" } = process.env;
const quick = ["--path-ignore-patterns=**/*.slow.test.ts"];
const server = await openShared();
const tests = spawn(
	process.execPath,
	[
		...["test", "--parallel=4", "--timeout=60000"],
		`--retry=${TEST_RETRIES}`,
		...(files.length === 0 ? quick : files),
	],
	{
		env: { ...process.env, TEST_DATABASE_URL: server.url },
		stdio: ["inherit", "inherit", "pipe"],
	},
);
const seen = new Set<string>();
let [file, heading] = ["", ""];
// Bun names the file of each part of the output, and then its tests.
const lines = createInterface({ input: tests.stderr }).on("line", (line) => {
	if (all.includes(line.slice(0, -1))) {
		heading = line;
		file = line.slice(0, -1);
		if (seen.has(file)) return;
		seen.add(file);
		print(`${seen.size}/${all.length} ${file}`, true);
	} else if (line !== "" && !/^\((pass|skip|todo)\) /.test(line)) {
		// At the end, Bun lists all that failed or was skipped.
		if (/^( +\d+ pass$|\d+ tests? (failed|skipped))/.test(line))
			[file, heading] = ["", ""];
		if (heading !== "") print(`\n${heading}`);
		heading = "";
		print(line);
		const [, failed] =
			/^\(fail\) (.*?)( \(attempt \d+\))?( \[[\d.]+m?s\])?$/.exec(line) ?? [];
		if (failed !== undefined && file !== "")
			print(
				`       npx bun test --timeout 60000 ${file} -t ${toPattern(failed)}`,
			);
	}
});
// A terminal signals the tests too.
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.on(signal, () => tests.kill(signal));
const [[status]] = await Promise.all([
	once(tests, "exit"),
	once(lines, "close"),
]);
await server.remove();
process.exit(status ?? 1);

/** On a terminal the next line replaces one that `passes`. */
function print(line: string, passes = false): void {
	const { isTTY } = process.stderr;
	process.stderr.write(
		isTTY ? `\r\x1b[K${line}${passes ? "" : "\n"}` : `${line}\n`,
	);
}

/** For a shell. Bun joins the names of groups and test by a space, and prints " > ". */
function toPattern(name: string): string {
	const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
	return `'^${escaped.replaceAll(" > ", " (> )?").replaceAll("'", ".")}$'`;
}
