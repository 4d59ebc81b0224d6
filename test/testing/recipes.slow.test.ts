// The examples of docs/testing.md for tools that few machines have: the types of one, the commands of the workflow.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { freePort } from "../harness/free-port.ts";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { type Example, readExamples } from "./examples.ts";

const packages = ["testcontainers@12.2.0", "@types/node@20.19.43"];

const folder = temporaryFolder();
const store = temporaryFolder();
beforeAll(async () => {
	await installPackage(store.path);
	writeFileSync(`${folder.path}/package.json`, '{"type":"module"}');
	await succeed(
		["npm", "install", "--silent", "--ignore-scripts", ...packages],
		folder.path,
	);
	symlinkSync(
		`${store.path}/node_modules/${packageName}`,
		`${folder.path}/node_modules/${packageName}`,
	);
}, 300_000);
afterAll(() => {
	folder.remove();
	store.remove();
});

test("compiles the example that imports testcontainers", async () => {
	const example = find(({ code }) => code.includes('from "testcontainers"'));
	expect(await problemsOf(example)).toBe("");
	const wrong = example.code.replace(/withExposed\w*\(/, "misspelt(");
	expect(await problemsOf({ ...example, code: wrong })).toContain("misspelt");
}, 60_000);

test("runs the commands of the workflow one after the other", async () => {
	const port = String(await freePort());
	const { code } = find(isWorkflow);
	const content = Bun.YAML.parse(code.replaceAll("8080", port));
	const workflow: Workflow = JSON.parse(JSON.stringify(content));
	const { env, steps } = workflow.jobs.test;
	const commands = steps.flatMap(({ run = "npm ci" }) =>
		run === "npm ci" ? [] : [run],
	);
	expect(commands.length).toBe(3);
	const script = [`trap 'kill $(jobs -p)' EXIT`, ...commands].join("\n");
	const variables = { ...env, PETSTORE_PORT: port };
	const output = await succeed(["bash", "-ec", script], store.path, variables);
	expect(output).toContain('[{"id":250,');
	expect(output).toContain("/v1/pets?limit=1");
}, 60_000);

interface Workflow {
	readonly jobs: {
		readonly test: {
			readonly env: Record<string, string>;
			readonly steps: readonly { readonly run?: string }[];
		};
	};
}

function isWorkflow({ file }: Example): boolean {
	return file.startsWith(".github/workflows/");
}

function find(isMeant: (example: Example) => boolean): Example {
	const example = readExamples().find(isMeant);
	if (example === undefined) throw new Error("The example is missing.");
	return example;
}

/** The errors of the compiler; empty if none. */
async function problemsOf({ code, file }: Example): Promise<string> {
	writeFileSync(`${folder.path}/${file}`, code);
	return succeed(
		[`${root}node_modules/.bin/tsc`, ...compilerOptions, file],
		folder.path,
	).catch(String);
}

const compilerOptions = [
	...["--noEmit", "--strict", "--allowJs", "--checkJs", "--ignoreConfig"],
	...["--module", "nodenext", "--target", "esnext", "--skipLibCheck"],
	...["--types", "node"],
];
