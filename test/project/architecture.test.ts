// Checks the imports between the layers of ARCHITECTURE.md.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "../harness/process.ts";

/** From the bottom up. A file imports only from its own folder and from lower rows, so `store` and `http` do not know each other. */
const layers = [
	["src/json", "src/limits", "src/program"],
	["conformance", "src/client"],
	["src/domain"],
	["src/domain/types"],
	["src/domain/access"],
	["src/domain/pet"],
	["src/interface", "src/formats", "src/log", "src/testing"],
	["src/store/database"],
	["src/store/access", "src/store/edits"],
	["src/store/animals"],
	["src/store/files", "src/store/history"],
	["src/store/postgres", "src/store/sqlite"],
	["src/store", "src/http"],
	["src/auth", "src/backups"],
	["src/v1"],
	["src/operator"],
	["src/web", "src/sandbox"],
	["src/metrics"],
	["src/petstore"],
	["src/cli"],
	["build"],
	["examples"],
	["test/harness"],
	["faults", "bench"],
	["test"],
];

const sources = readdirSync(root, { recursive: true })
	.map(String)
	.filter((path) => /\.tsx?$/.test(path) && !/node_modules|^dist/.test(path))
	.map((path) => {
		const text = readFileSync(root + path, "utf8");
		const name = path.replace(/\.tsx?$/, "");
		return { name, text, imports: importsOf(path, text) };
	});
const service = sources.filter(({ name }) => name.startsWith("src/"));

test("puts every file into a folder of a layer", () => {
	for (const { name } of sources)
		expect([name, layerOf(name)]).not.toEqual([name, -1]);
});

test("imports from other folders only from lower layers", () => {
	const violations = sources.flatMap(({ name, imports }) =>
		imports
			.filter((other) => folderOf(other) !== folderOf(name))
			.filter((other) => layerOf(other) >= layerOf(name))
			.map((other) => `${name} imports ${other}`),
	);
	expect(violations).toEqual([]);
});

/** What a browser compiles and loads of the service: exact JSON, types of values, the animal, shapes of replies. Nothing of it needs a server. */
const wire = [
	...["json", "limits", "interface/replies"],
	...["domain/errors", "domain/quantity", "domain/text", "domain/time"],
	...["domain/access/author", "domain/access/key-scope"],
	...["domain/pet/change-kinds", "domain/pet/file-format", "domain/pet/pet"],
	...["domain/pet/pet-id", "domain/pet/pet-types"],
	...["domain/types/field", "domain/types/json", "domain/types/object"],
	...["domain/types/scalar", "domain/types/type"],
].map((name) => `src/${name}`);

test.each([
	["the scripts of pages", /^src\/web\/(browser|console|sandbox|ui)\//, wire],
	["the client", /^src\/client\//, ["src/json"]],
])("gives %s only these files of the service", (_, own, expected) => {
	const names = service.map(({ name }) => name).filter((one) => own.test(one));
	const found = new Set(names.flatMap((name) => [...reachable(name)]));
	// Both the service and the scripts write HTML and snippets.
	const shared = /^src\/(client\/|testing\/|web\/(html|snippets)$)/;
	const others = [...found].filter(
		(one) => !own.test(one) && !shared.test(one),
	);
	expect(others.sort()).toEqual(expected.toSorted());
});

test("imports into the test helper only the client", () => {
	const imports = service
		.filter(({ name }) => name.startsWith("src/testing/"))
		.flatMap(({ imports }) => imports)
		.filter((other) => !/^src\/(testing|client)\//.test(other));
	expect(imports).toEqual([]);
});

test("has no circular imports", () => {
	const circular = sources.filter(({ name }) => reachable(name).has(name));
	expect(circular.map(({ name }) => name)).toEqual([]);
});

/** All that a file imports, also through others, and imports of types too. */
function reachable(from: string, found = new Set<string>()): Set<string> {
	const { imports = [] } = sources.find(({ name }) => name === from) ?? {};
	for (const other of imports)
		if (!found.has(other)) reachable(other, found.add(other));
	return found;
}

test("imports no engine into the other, and only store/store imports one; backups are SQLite files", () => {
	const engineOf = (name: string) =>
		/^src\/store\/(sqlite|postgres)\//.exec(name)?.[1];
	const violations = service.flatMap(({ name, imports }) =>
		imports
			.filter((other) => engineOf(other) !== undefined)
			.filter((other) => other !== "src/store/sqlite/backup-file")
			.filter((other) => engineOf(other) !== engineOf(name))
			.map((other) => `${name} imports ${other}`),
	);
	expect(
		violations.filter((one) => !one.startsWith("src/store/store ")),
	).toEqual([]);
});

function importsOf(path: string, text: string): string[] {
	return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.tsx?"/g)].map(
		([, target = ""]) => normalize(join(dirname(path), target)),
	);
}

/** The innermost. */
function folderOf(name: string): string | undefined {
	return layers
		.flat()
		.filter((folder) => name === folder || name.startsWith(`${folder}/`))
		.toSorted((one, other) => other.length - one.length)[0];
}

function layerOf(name: string): number {
	const folder = folderOf(name);
	return layers.findIndex((folders) => folders.some((one) => one === folder));
}
