// What the package contains, as a user gets it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { installPackage, packageName } from "../harness/package.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const { INSTALLED_IN } = process.env;
const folder = temporaryFolder();
const project = INSTALLED_IN ?? folder.path;
const installed = `${project}/node_modules/${packageName}`;
let files: readonly string[];

beforeAll(async () => {
	if (INSTALLED_IN === undefined) await installPackage(project);
	files = readdirSync(installed, { recursive: true })
		.map(String)
		.filter((file) => statSync(`${installed}/${file}`).isFile());
}, 60_000);
afterAll(() => folder.remove());

test("contains only what runs, its documents, its licence and its changes", () => {
	const strange = files.filter(
		(file) =>
			!/^(bin\/[a-z]+\.cjs|dist\/.*|(docs|deploy|examples)\/.*|Dockerfile|bench\/(RESULTS\.md|peers\/\w+\.js)|[A-Z]+\.md|LICENSE|package\.json)$/.test(
				file,
			) || /\.test\.|\.db$|\/\./.test(file),
	);
	expect(strange).toEqual([]);
});

test("has package.json and README.md of the checkout, and no dead link in a document", () => {
	for (const file of ["package.json", "README.md"])
		expect(readFileSync(`${installed}/${file}`, "utf8")).toBe(
			readFileSync(root + file, "utf8"),
		);
	const targets = files
		.filter((file) => file.endsWith(".md"))
		.flatMap((file) => {
			const text = readFileSync(`${installed}/${file}`, "utf8");
			return Array.from(
				text.matchAll(/\]\(([^)#:]+)[)#]/g),
				([, target = ""]) => join(dirname(file), target),
			);
		});
	expect(targets).toContain("docs/interface.md");
	expect(targets.filter((one) => !existsSync(`${installed}/${one}`))).toEqual(
		[],
	);
});

test("contains every file that its files import", () => {
	const missing = files
		.filter((file) => /^dist\/.*\.js$/.test(file) && !/\/pages\//.test(file))
		.flatMap((file) => importsOf(`${installed}/${file}`))
		.filter((path) => !existsSync(path));
	expect(missing).toEqual([]);
});

function importsOf(path: string): string[] {
	const imports = readFileSync(path, "utf8").matchAll(
		/(?:from|import\(|import|require\()\s*"(\.[^"]+)"/g,
	);
	return [...imports].map(([, target = ""]) => join(dirname(path), target));
}

test("contains no path of the machine that built it", () => {
	// It was built below the project.
	for (const path of [project, root])
		expect(
			files.filter((file) =>
				readFileSync(`${installed}/${file}`).includes(path),
			),
		).toEqual([]);
});
