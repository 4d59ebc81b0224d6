// A test that blocks its process, for example while it runs a command, for longer than the store keeps an idle connection.

import { afterAll, beforeAll, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { idleMs } from "../../src/http/server.ts";
import { installPackage, packageName, succeed } from "../harness/package.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const folder = temporaryFolder();
beforeAll(async () => {
	await installPackage(folder.path);
	writeFileSync(`${folder.path}/blocked.mjs`, blocked);
}, 60_000);
afterAll(() => folder.remove());

const blocked = `
import { startPetstore } from "${packageName}/testing";
const store = await startPetstore();
await store.reset();
const cell = new Int32Array(new SharedArrayBuffer(4));
Atomics.wait(cell, 0, 0, ${idleMs + 3_000});
await store.reset();
await store.stop();
`;

test.each(["node", process.execPath])(
	"resets its store after that in %s",
	async (program) => {
		await succeed([program, "blocked.mjs"], folder.path);
	},
	60_000,
);
