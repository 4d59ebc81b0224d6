// The client and the test helper as a user of the package gets them: in each runtime, and when the test process ends without a stop.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { openPetstore } from "../../src/petstore.ts";
import { makeTls } from "../harness/certificate.ts";
import { freePort } from "../harness/free-port.ts";
import { silentLog } from "../harness/log.ts";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { root, start } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService } from "../service.ts";

const { NEWER_NODE, INSTALLED_IN } = process.env;
const folder = temporaryFolder();
const project = INSTALLED_IN ?? folder.path;

beforeAll(async () => {
	if (INSTALLED_IN === undefined) await installPackage(project);
	for (const [suite, name] of [
		["client", "client"],
		["testing", "suite.test"],
	] as const)
		for (const [format, extension] of [
			["esm", "mjs"],
			["cjs", "cjs"],
		] as const)
			await Bun.build({
				entrypoints: [`${root}test/${suite}/run-suite.js`],
				outdir: project,
				naming: `${name}.${extension}`,
				target: "node",
				format,
				external: [`${packageName}/*`],
			});
	writeFileSync(`${project}/abandon.mjs`, abandon);
	writeFileSync(`${project}/tls.mjs`, behindTls);
});
afterAll(() => folder.remove());

/** Starts a store, uses it, prints its address and its process id, and does not stop it. */
const abandon = `
import { readFileSync } from "node:fs";
import { startPetstore } from "${packageName}/testing";
const { client, url, reset } = await startPetstore();
await client.getPet(1n);
await reset();
const { pid } = process;
console.log(url, readFileSync(\`/proc/\${pid}/task/\${pid}/children\`, "utf8"));
const [, , how] = process.argv;
if (how === "throw") throw new Error("The test has failed.");
if (how === "exit") process.exit(3);
if (how === "kill") process.kill(pid, "SIGKILL");
`;

const behindTls = `
import { connectPetstore } from "${packageName}/testing";
const { reset, client } = connectPetstore({ url: process.argv[2] });
await reset({ pets: 2 });
await client.getPet(2n);
`;

const runtimes = [
	{ name: "the Node.js on the PATH", program: "node", testFlag: "--test" },
	{ name: "Bun", program: process.execPath, testFlag: "test" },
	...(NEWER_NODE === undefined
		? []
		: [{ name: "NEWER_NODE", program: NEWER_NODE, testFlag: "--test" }]),
];

/** Both take seconds, and the slow tests start a store from CommonJS too. */
const suites = ["suite.test.mjs", ...(INSTALLED_IN ? ["suite.test.cjs"] : [])];

const deno = { name: "Deno", program: "deno", options: ["run", "-A"] };
const hasDeno = Bun.which(deno.program) !== null;

test.each([...runtimes, ...(hasDeno ? [deno] : [])])(
	"the client passes its suite in $name",
	async ({ program, ...runtime }) => {
		const { url, makeKey, close } = await openService("over a socket");
		const options = "options" in runtime ? runtime.options : [];
		const nowhere = `http://127.0.0.1:${await freePort()}`;
		const args = [url, await makeKey(), nowhere];
		for (const file of ["client.mjs", "client.cjs"]) {
			const command = [program, ...options, file, ...args] as const;
			expect(await succeed(command, project)).toMatch(/^\d+ passed\n$/);
		}
		await close();
	},
);

describe.each(runtimes)("in $name", ({ program, testFlag }) => {
	describe("Test helper", () => {
		test.each(suites)("passes its suite in %s", async (file) => {
			await succeed([program, testFlag, `./${file}`], project);
		});
	});

	describe("Test helper: the end of a store", () => {
		test.each([
			["ends by itself", "end", 0],
			["throws", "throw", 1],
			["exits", "exit", 3],
			["is killed", "kill", null],
		])(
			"stops a store within 2 seconds after its process %s",
			async (_how, argument, expected) => {
				const command = [program, "abandon.mjs", argument] as const;
				const { finished } = start(command, { cwd: project });
				const { status, stdout, stderr } = await finished;
				const ended = performance.now();
				expect(status).toBe(expected);
				if (argument !== "throw") expect(stderr).toBe("");
				const [url = "", ...children] = stdout.trim().split(/\s+/);
				expect(children.length).toBe(1);
				while ((await answers(url)) || children.some(isRunning))
					await Bun.sleep(10);
				// Three times as long, because other programs may use the processor.
				expect(performance.now() - ended).toBeLessThan(3 * 2_000);
			},
		);
	});
});

test("controls a sandbox behind TLS", async () => {
	const { url, stop } = await openPetstore({
		database: "sqlite::memory:",
		address: { host: "127.0.0.1", port: 0, tls: makeTls(folder.path) },
		sandbox: { pets: 1, seed: 1 },
		log: { to: silentLog },
	});
	const env = { NODE_EXTRA_CA_CERTS: `${folder.path}/own.crt` };
	for (const { program } of runtimes)
		await succeed([program, "tls.mjs", url], project, env);
	await stop();
});

test("knows the operations of both documents", () => {
	const wordsOf = (file: string, word: RegExp) =>
		Array.from(
			readFileSync(root + file, "utf8").matchAll(word),
			([, id]) => id,
		);
	const id = /"operationId": "(\w+)"/g;
	const described = new Set([
		...wordsOf("openapi.json", id),
		...wordsOf("operator-openapi.json", id),
	]);
	const known = wordsOf("src/testing/operations.ts", /"(\w+)"/g);
	expect(known.sort()).toEqual([...described].sort());
});

/** A process that has ended has no command, even before its parent has read its status. */
function isRunning(pid: string): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
	} catch {
		return false;
	}
}

async function answers(url: string): Promise<boolean> {
	return fetch(url).then(
		() => true,
		() => false,
	);
}
