// The conditions for a release, and how a release changes the changelog.
import { describe, expect, test } from "bun:test";
import { readArguments } from "../../release/arguments.ts";
import { releasedIn, withRelease } from "../../release/changelog.ts";
import { problemsOf, type Situation } from "../../release/checks.ts";

const changelog = `# Changelog

## Unreleased

- Costs $1 less.

## 0.2.0 (2026-01-31)

- Older.
`;

const good: Situation = {
	version: "0.10.0",
	current: "0.2.0",
	changelog,
	branch: "main",
	changedFiles: [],
	tags: ["v0.1.0"],
	outFiles: [],
};

test("accepts a greater version of a clean checkout", () => {
	expect(problemsOf(good)).toEqual([]);
});

test("accepts the version of package.json if the changelog does not list it as released", () => {
	expect(problemsOf({ ...good, version: "0.3.0", current: "0.3.0" })).toEqual(
		[],
	);
});

test.each<[string, Partial<Situation>, string]>([
	[
		"a version with two numbers",
		{ version: "1.2" },
		'The version "1.2" is not of the form X.Y.Z.',
	],
	[
		"a version with a v",
		{ version: "v1.2.3" },
		'The version "v1.2.3" is not of the form X.Y.Z.',
	],
	[
		"a version with a leading zero",
		{ version: "1.02.3" },
		'The version "1.02.3" is not of the form X.Y.Z.',
	],
	[
		"a version that was released",
		{ version: "0.2.0" },
		"The version 0.2.0 is not greater than 0.2.0, which CHANGELOG.md has as released.",
	],
	[
		"a version below that of package.json",
		{ version: "0.3.0", current: "0.4.0" },
		"The version 0.3.0 is less than 0.4.0, which package.json has.",
	],
	[
		"a version that has a tag",
		{ tags: ["v0.10.0"] },
		"The tag v0.10.0 exists.",
	],
	[
		"a changelog without unreleased changes",
		{ changelog: "## Unreleased\n\n## 0.2.0 (2026-01-31)\n\n- Older.\n" },
		'The section "Unreleased" of CHANGELOG.md is empty.',
	],
	[
		"a changelog without the section",
		{ changelog: "## 0.2.0 (2026-01-31)\n\n- Older.\n" },
		'CHANGELOG.md has no section "## Unreleased".',
	],
	[
		"changes that are not committed",
		{ changedFiles: ["src/petstore.ts", "notes.txt"] },
		"The work tree has changes that are not committed: src/petstore.ts, notes.txt.",
	],
	[
		"another branch",
		{ branch: "idea" },
		"Releases are made from the branch main, and idea is checked out.",
	],
	[
		"no branch",
		{ branch: "" },
		"Releases are made from the branch main, and no branch is checked out.",
	],
	[
		"a folder with files",
		{ outFiles: ["SHA256SUMS"] },
		"The folder for the release is not empty: it has SHA256SUMS.",
	],
])("refuses %s", (_what, change, problem) => {
	expect(problemsOf({ ...good, ...change })).toEqual([problem]);
});

test("reports all problems at once", () => {
	const problems = problemsOf({ ...good, version: "1", branch: "idea" });
	expect(problems.length).toBe(2);
});

test("moves the unreleased changes to the new version, and leaves an empty section", () => {
	const released = withRelease(changelog, "0.10.0", "2026-02-28");
	expect(released).toBe(`# Changelog

## Unreleased

## 0.10.0 (2026-02-28)

- Costs $1 less.

## 0.2.0 (2026-01-31)

- Older.
`);
	expect(releasedIn(released)).toEqual(["0.10.0", "0.2.0"]);
});

describe("the arguments", () => {
	test("need only a version: the folder is then beside the checkout, with all executables", () => {
		expect(readArguments(["1.2.3"], {})).toMatchObject({
			version: "1.2.3",
			isDryRun: false,
			out: "../petstore-service-1.2.3",
			targets: expect.arrayContaining(["linux-x64", "windows-x64"]),
		});
	});

	test.each([
		[[], {}, "Give one version."],
		[["1.2.3", "1.2.4"], {}, "Give one version."],
		[["1.2.3", "--dry"], {}, "Unknown option '--dry'"],
		[
			["1.2.3", "--targets", "linux-x64,amiga"],
			{},
			'There is no target "amiga" of executables.',
		],
		[
			["1.2.3"],
			{ npm_config_dry_run: "true" },
			'npm has taken --dry-run for an option of its own, because "--" is missing.',
		],
	])("refuses %p with the environment %p", (args, environment, message) => {
		const problem = readArguments(args, environment);
		expect(problem).toStartWith(message);
		expect(problem).toContain("Usage: npm run release -- X.Y.Z");
	});
});
