// The built client as a user of the package gets it, in other runtimes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { installPackage, succeed } from "../harness/package.ts";
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
