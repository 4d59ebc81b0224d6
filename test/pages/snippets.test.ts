// Every snippet of the reference works as printed, in every installed language. snippets-go.slow.test.ts compiles Go, which takes seconds.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "../../src/web/snippets/languages.ts";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import {
	expectWorking,
	operations,
	type Program,
	toRequest,
} from "./snippet-runs.ts";

const python = Bun.which("python3");
const gofmt = Bun.which("gofmt");
for (const [name, path] of Object.entries({ python3: python, gofmt }))
	if (path === null) console.warn(`not run: ${name} is not installed`);

const programs: Readonly<Record<string, Program>> = {
	curl: {
		toFile: (name) => `${name}.sh`,
		write(folder, names) {
			const lines = names.map((name) => `echo "== ${name}"; sh -e ${name}.sh`);
			writeFileSync(join(folder, "all.sh"), lines.join("; echo\n"));
			return ["sh", "all.sh"];
		},
	},
	typescript: {
		toFile: (name) => `${name}.ts`,
		write: (folder, names) =>
			writeImports(folder, names, "ts", process.execPath),
	},
	// Node.js 20 is the oldest version that the package supports.
	javascript: {
		toFile: (name) => `${name}.mjs`,
		write: (folder, names) => writeImports(folder, names, "mjs", "node"),
	},
	...(python && {
		python: {
			toFile: (name) => `${name}.py`,
			write(folder, names) {
				const lines = names.map(
					(name) => `print("== ${name}")\nrun("${name}.py")`,
				);
				writeFileSync(join(folder, "all.py"), runPython + lines.join("\n"));
				return [python, "all.py"];
			},
		},
	}),
};

function writeImports(
	folder: string,
	names: readonly string[],
	end: string,
	program: string,
): readonly [string, string] {
	const lines = names.map(
		(name) =>
			`console.log("== ${name}"); await import("./${name}.${end}").catch((error) => console.log("failed", error));`,
	);
	writeFileSync(join(folder, `all.${end}`), lines.join("\n"));
	return [program, `all.${end}`];
}

const runPython = `import runpy, traceback
def run(file):
    try:
        runpy.run_path(file)
    except Exception:
        print("failed", traceback.format_exc())
`;

describe("Snippets", () => {
	const run = languages.filter(({ id }) => id in programs);
	test.each(run)(
		"run as printed for every operation, in $label",
		async (language) => {
			const program = programs[language.id];
			if (program !== undefined) await expectWorking(language, program);
		},
		60_000,
	);
});

const requests = operations.flatMap(({ id }) =>
	["k", undefined].map((key) => toRequest(id, "https://os.io.example", key)),
);

function writeSnippets(id: string, end: string) {
	const folder = temporaryFolder();
	const language = languages.find((one) => one.id === id);
	const files = requests.map((request, index) => {
		const file = `${request.operationId}${index}.${end}`;
		const code = language?.write(request) ?? "";
		const client = `${root}src/client/client.ts`;
		const text = code.replace("petstore-service/client", client);
		writeFileSync(join(folder.path, file), `${text}\n`);
		return file;
	});
	return { folder, files };
}

test("writes TypeScript without type errors", async () => {
	const { folder, files } = writeSnippets("typescript", "ts");
	const flags =
		"--noEmit --strict --exactOptionalPropertyTypes --target esnext --lib esnext,dom --module preserve --moduleDetection force --allowImportingTsExtensions --skipLibCheck --ignoreConfig --types bun";
	const roots = `--typeRoots ${root}node_modules/@types,${root}node_modules`;
	const compiler = `${root}node_modules/.bin/tsc`;
	const args = `${flags} ${roots}`.split(" ");
	const { stdout } = await start([compiler, ...args, ...files], {
		cwd: folder.path,
	}).finished;
	expect(stdout).toBe("");
	folder.remove();
});

test("uses only dates of 2099 in the examples", () => {
	for (const { bodyText = "", url } of requests)
		for (const [year] of `${url}${bodyText}`.matchAll(/20\d\d(?=-\d\d-\d\d)/g))
			expect(year).toBe("2099");
});

describe("Go", () => {
	const [go] = languages.filter(({ id }) => id === "go");

	test.skipIf(gofmt === null)("is formatted like gofmt", async () => {
		const { folder, files } = writeSnippets("go", "go");
		const { stdout, stderr } = await start(
			[gofmt ?? "gofmt", "-e", "-d", ...files],
			{ cwd: folder.path },
		).finished;
		expect(stdout + stderr).toBe("");
		folder.remove();
	});

	test("imports exactly the packages that it uses", () => {
		for (const request of requests) {
			const [, imports = "", body = ""] =
				/import \(([^)]*)\)(.*)/s.exec(go?.write(request) ?? "") ?? [];
			const imported = imports.matchAll(/"(?:\w+\/)?(\w+)"/g);
			const used = body.matchAll(/\b(json|fmt|http|io|os|strings)\.[A-Z]/g);
			const names = (found: Iterable<RegExpMatchArray>) =>
				[...new Set([...found].map(([, name]) => name))].sort();
			expect(names(used)).toEqual(names(imported));
		}
	});
});
