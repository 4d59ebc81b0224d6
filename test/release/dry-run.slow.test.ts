// A dry run of a release, in a copy of the project with its own repository and only the executable for this machine.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	appendFileSync,
	cpSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { findOwnTarget } from "../../build/executable/targets.ts";
import { succeed } from "../../harness/package.ts";
import { type Finished, root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import manifest from "../../package.json" with { type: "json" };
import { schemaErrors } from "./schema.ts";

/** Greater than any version of the project. */
const version = `${Number.parseInt(manifest.version, 10) + 1}.0.0`;
const folder = temporaryFolder();
const checkout = `${folder.path}/checkout`;
const out = `${folder.path}/out`;
const unpacked = `${folder.path}/package`;

const target = findOwnTarget();

let before: string;
let finished: Finished;

beforeAll(async () => {
	await makeRepository();
	before = await stateOfCheckout();
	finished = await start(
		[
			...(["npm", "run", "--silent", "release", "--", version] as const),
			...["--dry-run", "--out", out, "--targets", target],
		],
		{ cwd: checkout },
	).finished;
	if (finished.status !== 0) throw new Error(finished.stderr);
	const tarball = `${out}/petstore-service-${version}.tgz`;
	await succeed(["tar", "-xf", tarball], folder.path);
}, 300_000);
afterAll(folder.remove);

describe("a dry run", () => {
	test("prints a line for each step, and says that it was a dry run", () => {
		const lines = finished.stdout.split("\n");
		expect(lines).toContain("Pack the npm package.");
		expect(lines).not.toContain("Run the tests, for some minutes.");
		expect(finished.stdout).toContain("This was a dry run.");
		expect(finished.stdout).not.toContain("npm publish");
	});

	test("changes nothing in the checkout", async () => {
		expect(await stateOfCheckout()).toBe(before);
	});

	test("makes the package, the executable, the SBOM and checksums that match", async () => {
		expect(readdirSync(out).sort()).toEqual([
			"SHA256SUMS",
			`petstore-${target}`,
			`petstore-service-${version}.cdx.json`,
			`petstore-service-${version}.tgz`,
		]);
		const sums = readFileSync(`${out}/SHA256SUMS`, "utf8").trim().split("\n");
		expect(sums.length).toBe(readdirSync(out).length - 1);
		await succeed(["sha256sum", "--check", "--strict", "SHA256SUMS"], out);
	});

	test("builds an executable that names the version and a commit without changes", async () => {
		const executable = `${out}/petstore-${target}` as const;
		const printed = await succeed([executable, "--version"], folder.path);
		expect(printed.trim()).toMatch(
			new RegExp(`^${RegExp.escape(version)} \\([0-9a-f]{7}\\)$`),
		);
	});

	test("packs the version, and the changelog with the date", () => {
		const packed = JSON.parse(readFileSync(`${unpacked}/package.json`, "utf8"));
		expect(packed).toMatchObject({ name: "petstore-service", version });
		const changelog = readFileSync(`${unpacked}/CHANGELOG.md`, "utf8");
		expect(changelog.replace(/\d{4}-\d\d-\d\d/, "DAY")).toBe(
			`# Changelog\n\n## Unreleased\n\n## ${version} (DAY)\n\n- Something new.\n`,
		);
	});

	test("writes a valid SBOM of this version without a path of this machine", () => {
		const text = readFileSync(
			`${out}/petstore-service-${version}.cdx.json`,
			"utf8",
		);
		const sbom = JSON.parse(text);
		expect(schemaErrors(sbom)).toEqual([]);
		expect(sbom.metadata.component).toMatchObject({
			name: "petstore-service",
			version,
			purl: `pkg:npm/petstore-service@${version}`,
		});
		expect(text).not.toContain(folder.path);
		expect(text).not.toContain(root);
	});
});

/** A repository with the files of this project, its packages and a changelog with one line. */
async function makeRepository(): Promise<void> {
	cpSync(root, checkout, {
		recursive: true,
		filter: (path) => !/\/(node_modules|\.git|data|dist)$/.test(path),
	});
	writeFileSync(
		`${checkout}/CHANGELOG.md`,
		"# Changelog\n\n## Unreleased\n\n- Something new.\n",
	);
	const git = gitIn(checkout);
	await git("init", "--quiet", "-b", "main");
	await git("config", "user.name", "Ada");
	await git("config", "user.email", "ada@example.com");
	// .gitignore lists a folder, and this is a link.
	appendFileSync(`${checkout}/.git/info/exclude`, "node_modules\n");
	symlinkSync(`${root}node_modules`, `${checkout}/node_modules`);
	await git("add", "--all");
	await git("commit", "--quiet", "--message", "Everything");
}

/** Branches, tags, HEAD and the status of all files, even ignored ones. */
async function stateOfCheckout(): Promise<string> {
	const git = gitIn(checkout);
	return [
		await git("for-each-ref"),
		await git("rev-parse", "HEAD"),
		await git("status", "--porcelain", "--branch", "--ignored"),
	].join("\n");
}

function gitIn(cwd: string) {
	return (...args: string[]) => succeed(["git", ...args], cwd);
}
