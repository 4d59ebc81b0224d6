// Every snippet of the reference works as printed, in every installed language. snippets-go.slow.test.ts compiles Go, which takes seconds.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLanguages } from "../../src/web/snippets.ts";
import { start } from "../harness/process.ts";
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

const languages = toLanguages("text");

const programs: Readonly<Record<string, Program>> = {
	curl: {
		toFile: (name) => `${name}.sh`,
		write(folder, names) {
			const lines = names.map((name) => `echo "== ${name}"; sh -e ${name}.sh`);
			writeFileSync(join(folder, "all.sh"), lines.join("; echo\n"));
			return ["sh", "all.sh"];
		},
	},
	// Node.js 20 is the oldest version that the package supports.
	javascript: {
		toFile: (name) => `${name}.mjs`,
		write(folder, names) {
			const lines = names.map(
				(name) =>
					`console.log("== ${name}"); await import("./${name}.mjs").catch((error) => console.log("failed", error));`,
			);
			writeFileSync(join(folder, "all.mjs"), lines.join("\n"));
			return ["node", "all.mjs"];
		},
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

const [, , , go] = languages;

test("uses only dates of 2099 in the examples", () => {
	for (const { body = "", url } of requests)
		for (const [year] of `${url}${body}`.matchAll(/20\d\d(?=-\d\d-\d\d)/g))
			expect(year).toBe("2099");
});

test.skipIf(gofmt === null)("writes Go like gofmt", async () => {
	const folder = temporaryFolder();
	const files = requests.map((request, index) => {
		const file = `${index}.go`;
		writeFileSync(join(folder.path, file), `${go?.write(request)}\n`);
		return file;
	});
	const { stdout, stderr } = await start(
		[gofmt ?? "gofmt", "-e", "-d", ...files],
		{ cwd: folder.path },
	).finished;
	expect(stdout + stderr).toBe("");
	folder.remove();
});
