// petstore-service/testing as users of the package have it: in each runtime, what happens to a store whose test process ends, and a
// start that fails.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, writeFileSync } from "node:fs";
import { installPackage, packageName, succeed } from "../../harness/package.ts";
import { root, start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import type * as Testing from "../../src/testing/testing.ts";
import { decision } from "../service.ts";
import { testExamples } from "./examples.ts";

const { NEWER_NODE, INSTALLED_IN } = process.env;
const folder = temporaryFolder();
const project = INSTALLED_IN ?? folder.path;

beforeAll(async () => {
	if (INSTALLED_IN === undefined) await installPackage(project);
	await Bun.build({
		entrypoints: [`${root}test/testing/run-suite.js`],
		outdir: project,
		naming: "suite.test.mjs",
		target: "node",
		external: [`${packageName}/*`],
	});
	writeFileSync(`${project}/abandon.mjs`, abandon);
});
afterAll(() => folder.remove());

/** Starts a store, uses it, prints its address, and does not stop it. */
const abandon = `
import { startPetstore } from "${packageName}/testing";
const { client, url, reset } = await startPetstore();
await client.getPet(1n);
await reset();
console.log(url);
if (process.argv[2] === "kill") process.kill(process.pid, "SIGKILL");
`;

const runtimes = [
	{ name: "the Node.js on the PATH", program: "node", testFlag: "--test" },
	{ name: "Bun", program: process.execPath, testFlag: "test" },
	...(NEWER_NODE === undefined
		? []
		: [{ name: "NEWER_NODE", program: NEWER_NODE, testFlag: "--test" }]),
];

describe.each(runtimes)("in $name", ({ program, testFlag }) => {
	decision("Test helper", () => {
		test("the suite passes", async () => {
			await succeed([program, testFlag, "./suite.test.mjs"], project);
		});
	});

	decision("Test helper: the end of a store", () => {
		test.each([
			["ends by itself", "end", 0],
			["is killed", "kill", null],
		])(
			"a store that was not stopped is gone within 2 seconds after its process %s",
			async (_how, argument, expected) => {
				const command = [program, "abandon.mjs", argument] as const;
				const { finished } = start(command, { cwd: project });
				const { status, stdout, stderr } = await finished;
				const ended = performance.now();
				expect([status, stderr]).toEqual([expected, ""]);
				const url = stdout.trim();
				while (await answers(url)) await Bun.sleep(10);
				// Three times as long, since other programs may keep the processor busy.
				expect(performance.now() - ended).toBeLessThan(3 * 2_000);
			},
		);
	});
});

test("ten stores at once have animals of their own", async () => {
	const built = `${project}/node_modules/${packageName}/dist/testing.js`;
	const { startPetstore }: typeof Testing = await import(built);
	const stores = await Promise.all(
		Array.from({ length: 10 }, (_, pets) => startPetstore({ pets })),
	);
	const counts = stores.map(
		async ({ client }) => (await client.readPage()).pets.length,
	);
	expect(await Promise.all(counts)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	await Promise.all(stores.map(({ stop }) => stop()));
});

decision("Test helper: a failed start", () => {
	test("it rejects with a sentence if Bun is not installed", async () => {
		const other = temporaryFolder();
		const installed = `node_modules/${packageName}`;
		cpSync(`${project}/${installed}`, `${other.path}/${installed}`, {
			recursive: true,
		});
		writeFileSync(
			`${other.path}/start.mjs`,
			`import { startPetstore } from "${packageName}/testing";
			await startPetstore().catch(({ message }) => console.log(message));`,
		);
		const output = await succeed(["node", "start.mjs"], other.path);
		expect(output).toMatch(/^Bun for \S+ \S+ is not installed; .+\n$/);
		other.remove();
	});
});

testExamples({
	path: project,
	isInstalled: INSTALLED_IN !== undefined,
	newerNode: NEWER_NODE,
});

async function answers(url: string): Promise<boolean> {
	return fetch(url).then(
		() => true,
		() => false,
	);
}
