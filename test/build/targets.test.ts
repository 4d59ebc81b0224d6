// The machines that executables are built for.
import { expect, test } from "bun:test";
import { findOwnTarget, targets } from "../../build/executable/targets.ts";
import lock from "../../package-lock.json" with { type: "json" };
import { root, start } from "../harness/process.ts";

test("finds the checksum of Bun for every target in package-lock.json, in the version that runs the service", () => {
	const packages: Readonly<
		Record<string, { version: string; integrity?: string }>
	> = lock.packages;
	const { version } = lock.packages["node_modules/bun"];
	for (const { name, package: ofBun } of targets)
		expect([name, packages[`node_modules/${ofBun}`]]).toEqual([
			name,
			expect.objectContaining({
				version,
				integrity: expect.stringMatching(/^sha512-/),
			}),
		]);
	expect(version).toBe(Bun.version);
});

test("has this machine as a target", () => {
	expect(targets.map(({ name }) => name)).toContain(findOwnTarget());
});

test("ends with status 2 and the names of the targets if a target is unknown", async () => {
	const { status, stderr } = await start(
		[process.execPath, "build/executable/run.ts", "--target", "amiga"],
		{ cwd: root },
	).finished;
	expect([status, stderr]).toEqual([
		2,
		expect.stringContaining("The targets are all, linux-x64, "),
	]);
});
