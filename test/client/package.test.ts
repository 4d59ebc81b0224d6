// The built client as a user of the package gets it: its size, its types, other runtimes, and the examples of its document.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService, type Service } from "../service.ts";

const folder = temporaryFolder();
let service: Service;
let key: string;

beforeAll(async () => {
	await installPackage(folder.path);
	service = await openService("over a socket");
	key = await service.makeKey();
}, 60_000);
afterAll(async () => {
	await service.close();
	folder.remove();
});

test("is one file of at most 3,584 bytes (gzip -9) without imports", () => {
	const built = `${folder.path}/node_modules/${packageName}/dist/client.js`;
	const text = readFileSync(built, "utf8");
	expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(3584);
	expect(text).not.toMatch(/\bimport\b|\brequire\b/);
});

describe("passes its suite, imported by the name of the package", () => {
	beforeAll(async () => {
		await Bun.build({
			entrypoints: [`${root}test/client/run-suite.js`],
			outdir: folder.path,
			external: ["petstore-service/client"],
		});
	});

	// NEWER_NODE may name a second executable of Node.js.
	const { NEWER_NODE } = process.env;
	const runtimes: [string, string[]][] = [
		["the Node.js on the PATH", ["node"]],
		["Bun", [process.execPath]],
	];
	if (NEWER_NODE !== undefined) runtimes.push(["NEWER_NODE", [NEWER_NODE]]);
	if (Bun.which("deno") !== null)
		runtimes.push(["Deno", ["deno", "run", "-A"]]);

	// One after the other, because they share the service and check its list.
	test.each(runtimes)("in %s", async (_name, [program = "", ...options]) => {
		const args = [...options, "run-suite.js", service.url, key];
		const output = await succeed([program, ...args], folder.path);
		expect(output).toMatch(/^\d+ passed\n$/);
	});
});

test("compiles and runs the examples of README.md and docs/client.md", async () => {
	const compilerOptions = {
		strict: true,
		module: "nodenext",
		noEmit: true,
		lib: ["esnext", "dom"],
		types: [],
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
	await succeed(["node_modules/.bin/tsc", "-p", "examples"], folder.path);
	for (const file of Object.keys(files)) {
		const command = [process.execPath, `examples/${file}`] as const;
		const output = await succeed(command, folder.path);
		expect(output).toContain("Rex\n");
		if (file === "client.ts")
			expect(output).toContain('"categoryId":"9007199254740993"');
	}
});

/** The code of a document as one program, with the address and the key of the service. */
function examplesOf(document: string): string {
	const text = readFileSync(root + document, "utf8");
	return [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
		.map(([, code = ""]) => code)
		.join("")
		.replaceAll("http://127.0.0.1:8080", service.url)
		.replace(/key: "(pet_…|sandbox)"/g, `key: "${key}"`);
}
