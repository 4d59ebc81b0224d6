// The package as a user gets it: its files, and its command.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installPacked, packageName } from "../harness/package.ts";
import { serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
const project = folder.path;
const installed = `${project}/node_modules/${packageName}`;
let files: readonly string[];

beforeAll(async () => {
	await installPacked(project);
	files = readdirSync(installed, { recursive: true }).map(String);
}, 60_000);
afterAll(() => folder.remove());

test("contains only what runs, its documents, its licence and its changes", () => {
	expect(readdirSync(installed).sort()).toEqual([
		...["CHANGELOG.md", "LICENSE", "README.md"],
		...["bin", "dist", "docs", "package.json"],
	]);
	const strange = files.filter((file) =>
		/(^|\/)(test|tests|bench|faults|mutants)\/|\.test\.|\.png$|\.db$/.test(
			file,
		),
	);
	expect(strange).toEqual([]);
	expect(readdirSync(`${installed}/bin`).sort()).toEqual([
		...["command.cjs", "petstore.cjs"],
	]);
});

test("has only what its users need in package.json, and no dead link in README.md", () => {
	const manifest = JSON.parse(
		readFileSync(`${installed}/package.json`, "utf8"),
	);
	expect(Object.keys(manifest).sort()).toEqual([
		...["bin", "dependencies", "description", "engines", "exports", "files"],
		...["license", "name", "type", "version"],
	]);
	expect(Object.keys(manifest.exports)).toEqual(["./client", "./testing"]);
	const links = readFileSync(`${installed}/README.md`, "utf8").matchAll(
		/\]\(([^)#]+)/g,
	);
	const targets = Array.from(links, ([, target = ""]) => target);
	expect(targets).toContain("docs/interface.md");
	expect(targets.filter((one) => !existsSync(`${installed}/${one}`))).toEqual(
		[],
	);
	const source = `${project}/source`;
	expect(readFileSync(`${source}/package.json`, "utf8")).toContain("scripts");
	expect(existsSync(`${source}/.packing`)).toBe(false);
});

test("contains every file that its files import", () => {
	const missing = files
		.filter((file) => /^dist\/program\/.*\.js$/.test(file))
		.flatMap((file) => importsOf(`${installed}/${file}`))
		.filter((path) => !existsSync(path));
	expect(missing).toEqual([]);
});

function importsOf(path: string): string[] {
	const imports = readFileSync(path, "utf8").matchAll(
		/(?:from|import\(|import|new URL\()\s*"(\.[^"]+)"/g,
	);
	return [...imports].map(([, target = ""]) => join(dirname(path), target));
}

test("makes backups, for which the program starts itself again", async () => {
	const env = { PETSTORE_DATABASE: "sqlite:backed-up.db" };
	const program = `${project}/node_modules/.bin/petstore`;
	const flags = ["--backups", "backups", "--backup-every", "1h"];
	const service = await serve(flags, { cwd: project, env, program });
	while (!/a backup (was made|failed)/.test(service.output().stderr))
		await Bun.sleep(50);
	const { status, stderr } = await service.stop();
	expect(stderr).toContain("a backup was made");
	expect(status).toBe(0);
});
