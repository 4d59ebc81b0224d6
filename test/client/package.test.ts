// The built client as users of the package get it: its size, its types, other runtimes, and the examples of its document.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	cpSync,
	mkdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { gzipSync } from "node:zlib";
import { root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { openService, type Service } from "../service.ts";

// A build of its own, since other tests may run while dist/ is being written.
const folder = temporaryFolder();
let service: Service;
let key: string;

beforeAll(async () => {
	for (const path of ["package.json", "tsconfig.json", "build", "src"])
		cpSync(root + path, `${folder.path}/${path}`, { recursive: true });
	symlinkSync(`${root}node_modules`, `${folder.path}/node_modules`);
	await succeed(process.execPath, "build/run.ts");
	service = await openService("over a socket");
	key = await service.makeKey();
});
afterAll(async () => {
	await service.close();
	folder.remove();
});

test("the client is one file of at most 4,096 bytes (gzip -9), and imports nothing", () => {
	const text = readFileSync(`${folder.path}/dist/client.js`, "utf8");
	expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(4096);
	expect(text).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBun\b/);
});

describe("the suite passes, imported by the name of the package", () => {
	beforeAll(async () => {
		await Bun.build({
			entrypoints: [`${root}test/client/run-suite.js`],
			outdir: folder.path,
			external: ["petstore-service/client"],
		});
	});

	// Node.js 20 and later versions parse JSON in different ways here, so NEWER_NODE may name a second executable.
	const { NEWER_NODE } = process.env;
	const runtimes: [string, string[]][] = [
		["the Node.js on the PATH", ["node"]],
		["Bun", [process.execPath]],
	];
	if (NEWER_NODE !== undefined) runtimes.push(["NEWER_NODE", [NEWER_NODE]]);
	if (Bun.which("deno") !== null)
		runtimes.push(["Deno", ["deno", "run", "-A"]]);

	test.concurrent.each(runtimes)(
		"in %s",
		async (_name, [program = "", ...options]) => {
			const args = [...options, "run-suite.js", service.url, key];
			expect(await succeed(program, ...args)).toMatch(/^\d+ passed\n$/);
		},
	);
});

test("the examples of README.md and docs/client.md compile with the types of the package, and run", async () => {
	const compilerOptions = {
		...{ strict: true, module: "nodenext", noEmit: true },
		...{ lib: ["esnext", "dom"], types: [] },
	};
	const files = { "readme.ts": "README.md", "client.ts": "docs/client.md" };
	const examples = `${folder.path}/examples`;
	mkdirSync(examples);
	writeFileSync(
		`${examples}/tsconfig.json`,
		JSON.stringify({ compilerOptions }),
	);
	for (const [file, document] of Object.entries(files))
		writeFileSync(`${examples}/${file}`, examplesOf(document));
	await succeed(`${root}node_modules/.bin/tsc`, "-p", "examples");
	for (const file of Object.keys(files)) {
		const output = await succeed(process.execPath, `examples/${file}`);
		expect(output).toContain("Rex\n");
	}
});

/** The code of a document as one program, with the address and the key of the running service. */
function examplesOf(document: string): string {
	const text = readFileSync(root + document, "utf8");
	return [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
		.map(([, code = ""]) => code)
		.join("")
		.replaceAll("http://127.0.0.1:8080", service.url)
		.replace(/key: "(pet_…|sandbox)"/g, `key: "${key}"`);
}

async function succeed(
	...command: readonly [string, ...string[]]
): Promise<string> {
	const { finished } = start(command, { cwd: folder.path });
	const { status, stdout, stderr } = await finished;
	if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
	return stdout;
}
