// Checks the imports between the layers of ARCHITECTURE.md, and what only certain files may use.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "../../harness/process.ts";

/** From the bottom up. A file imports only from its own folder and from lower layers. */
const layers = [
	["conformance", "src/limits", "src/program", "src/async", "src/client"],
	["src/domain"],
	["src/contract"],
	["src/log", "src/testing", "src/formats"],
	["src/store", "src/http"],
	["src/auth"],
	["src/usage", "src/backups", "src/imports"],
	["src/api", "src/web", "src/sandbox"],
	["src/surfaces"],
	["src/serving"],
	["src/petstore"],
	["src/workers", "src/package"],
	["src/cli"],
	["build"],
	["examples"],
	["harness"],
	["faults", "mutants", "bench"],
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

test("has at most 16 files in each folder of src", () => {
	const sizes = Map.groupBy(service, ({ name }) => dirname(name));
	const large = [...sizes].filter(([, files]) => files.length > 16);
	expect(large.map(([folder]) => folder)).toEqual([]);
});

test("imports into the test helper only the client, the check of options and the JSON of an animal", () => {
	const imports = service
		.filter(({ name }) => name.startsWith("src/testing/"))
		.flatMap(({ imports }) => imports)
		.filter((other) => !other.startsWith("src/testing/"));
	expect([...new Set(imports)].sort()).toEqual([
		...["src/client/client", "src/client/options", "src/client/pet"],
	]);
});

test("has no circular imports", () => {
	const imports = new Map(sources.map((source) => [source.name, source]));
	const reachable = (from: string, found = new Set<string>()): Set<string> => {
		for (const other of imports.get(from)?.imports ?? [])
			if (!found.has(other)) reachable(other, found.add(other));
		return found;
	};
	const circular = sources.filter(({ name }) => reachable(name).has(name));
	expect(circular.map(({ name }) => name)).toEqual([]);
});

test("imports no engine into the other, and only store/open imports one", () => {
	const engineOf = (name: string) =>
		/^src\/store\/(sqlite|postgres)\//.exec(name)?.[1];
	const violations = service.flatMap(({ name, imports }) =>
		imports
			.filter((other) => engineOf(other) !== undefined)
			.filter((other) => engineOf(other) !== engineOf(name))
			.map((other) => `${name} imports ${other}`),
	);
	expect(violations).toEqual([
		"src/store/open imports src/store/postgres/engine",
		"src/store/open imports src/store/sqlite/engine",
		"src/store/open imports src/store/postgres/reader",
		"src/store/open imports src/store/sqlite/reader",
		"src/store/open imports src/store/sqlite/archive/backup-file",
		"src/store/open imports src/store/sqlite/reader",
		"src/store/open imports src/store/sqlite/archive/staging",
		"src/store/open imports src/store/postgres/connection",
		"src/store/open imports src/store/postgres/connection",
	]);
});

test.each([
	["bun:sqlite", /"bun:sqlite"/, /^src\/store\/sqlite\//],
	["the PostgreSQL client", /from "pg"/, /^src\/store\/postgres\//],
	[
		"Bun itself",
		/\bBun\./,
		/^src\/(program|domain\/hash|log\/output|auth\/lookup-cache|http\/(reply-memory|server\/server)|store\/sqlite\/files\/library|cli\/(terminal\/table|commands\/sandbox\/sandbox))$/,
	],
	[
		"SQL",
		/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\b/,
		/^src\/store\//,
	],
	[
		"a status number",
		/\bstatus\b\W{1,5}[1-5]\d\d\b/,
		// The description of the sandbox contains examples of faults.
		/^src\/(contract\/operation|domain\/errors|client\/reply|testing\/control|sandbox\/interface)$/,
	],
	[
		"the environment",
		/process\.env|\.env\(/,
		// The snippets are text for other programs.
		/^src\/(program|cli\/(environment|flags|commands\/(serve\/config|verify\/verify|console))|workers\/messages|web\/snippets\/javascript)$/,
	],
	[
		"a socket",
		/"node:(net|http|https|tls)"|Bun\.serve/,
		/^src\/(http\/server\/server|testing\/control)$/,
	],
	["native functions", /"bun:ffi"/, /^src\/store\/sqlite\/files\/wal-index$/],
	["a shell", /Bun\.\$|from "bun"|\bshell:|\bexec(Sync)?\("/, /^nowhere$/],
])("only the listed files use %s", (_what, pattern, places) => {
	const elsewhere = service
		.filter(
			({ name, text }) => !places.test(name) && pattern.test(codeOf(text)),
		)
		.map(({ name }) => name);
	expect(elsewhere).toEqual([]);
});

test("compares the text of a key in one place, after its hash", () => {
	const files = ["key-auth", "lookup-cache", "session-auth"];
	const comparisons = service
		.filter(({ name }) => files.includes(name.replace("src/auth/", "")))
		.map(({ text }) => codeOf(text))
		.flatMap((code) => code.match(/\S+ [!=]==? (?!undefined|null)\S+/g) ?? []);
	expect(comparisons.sort()).toEqual([
		"(cache.get(secret) === entry)",
		"(error === endedSession)",
		"entry?.secret === secret",
	]);
});

function importsOf(path: string, text: string): string[] {
	return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.tsx?"/g)].map(
		([, target = ""]) => normalize(join(dirname(path), target)),
	);
}

function folderOf(name: string): string | undefined {
	return layers
		.flat()
		.find((folder) => name === folder || name.startsWith(`${folder}/`));
}

function layerOf(name: string): number {
	const folder = folderOf(name);
	return layers.findIndex((folders) => folders.some((one) => one === folder));
}

function codeOf(text: string): string {
	return text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
}
