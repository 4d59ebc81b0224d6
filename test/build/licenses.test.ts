// `petstore licenses` names everything that the program contains.
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import lock from "../../package-lock.json" with { type: "json" };
import { run } from "../harness/process.ts";

test("names every package that the program needs to run, with its version and licence text", async () => {
	const { status, stdout } = await run(["licenses"], { cwd: tmpdir() });
	expect(status).toBe(0);
	const entries = stdout.split(/^-{80}$/m).map((entry) => entry.trim());
	const needed = Object.entries(lock.packages)
		.filter(([path, entry]) => path !== "" && !("dev" in entry))
		// Bun's packages for each system count as Bun.
		.filter(([path]) => !path.includes("/@oven/bun-"))
		.map(
			([path, { version }]) =>
				`${path.replace(/^.*_modules\//, "")} ${version} (`,
		);
	const missing = needed.filter(
		(start) => !entries.some((entry) => entry.startsWith(start)),
	);
	expect([needed.length > 10, missing]).toEqual([true, []]);
	const withoutText = entries.filter(
		(entry) => !/permission|MIT licence|public domain/i.test(entry),
	);
	expect(withoutText).toEqual([]);
});

test("names the packages in the scripts of the pages, Bun and SQLite", async () => {
	const { stdout } = await run(["licenses"], { cwd: tmpdir() });
	for (const name of ["preact", "@preact/signals", "bun", "SQLite"])
		expect(stdout).toMatch(new RegExp(`^${name}( [\\d.]+ \\(MIT\\))?$`, "m"));
});
