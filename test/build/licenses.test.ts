// The file of licences in dist/ names everything that the program contains.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import lock from "../../package-lock.json" with { type: "json" };
import { root } from "../harness/process.ts";

test("names every package that the program needs to run, with its version and licence text", () => {
	const entries = readFileSync(`${root}dist/licenses.txt`, "utf8")
		.split(/^-{80}$/m)
		.map((entry) => entry.trim());
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
	for (const name of ["preact ", "SQLite\n"])
		expect(entries.some((entry) => entry.startsWith(name))).toBe(true);
});
