// Starts a sandbox on Debian's base system: by npx with Node.js and npm, and by the executable without them. Prints how long both take.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { basename } from "node:path";
import { type Debian, debianProblem, makeDebian } from "../harness/debian.ts";
import { buildExecutable } from "../harness/executable.ts";
import { packPackage } from "../harness/package.ts";
import { waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const problem = debianProblem();
if (problem !== undefined) console.log(`not run: Debian, since ${problem}`);

const folder = temporaryFolder();
let debian: Debian;
beforeAll(async () => {
	if (problem === undefined) debian = await makeDebian(folder.path);
}, 300_000);
afterAll(() => folder.remove());

test.if(problem === undefined)(
	"starts a sandbox with the executable alone",
	async () => {
		const { path } = await buildExecutable(folder.path);
		copyFileSync(path, `${debian.home}/petstore`);
		await expectSandbox("./petstore sandbox", 10_000);
	},
	60_000,
);

test.if(problem === undefined)(
	"starts a sandbox by npx on the tarball, with Node.js and npm",
	async () => {
		debian.addNode();
		const tarball = await packPackage(folder.path);
		copyFileSync(tarball, `${debian.home}/${basename(tarball)}`);
		await expectSandbox(`npx --yes ./${basename(tarball)} sandbox`, 240_000);
	},
	300_000,
);

/** Uses a free port of this machine, because only files and processes are separate. */
async function expectSandbox(command: string, timeoutMs: number) {
	const begun = performance.now();
	const sandbox = debian.run(`${command} --port 0`);
	const url = await Promise.race([
		waitFor(
			() => /^ {2}Address +(\S+)$/m.exec(sandbox.output().stdout)?.[1],
			() => sandbox.output().stderr,
			timeoutMs,
		),
		sandbox.finished.then(({ stderr }) => Promise.reject(new Error(stderr))),
	]);
	const seconds = (performance.now() - begun) / 1_000;
	console.log(`${command}: running after ${seconds.toFixed(1)} s`);
	const headers = { Authorization: "Bearer sandbox" };
	const reply = await fetch(`${url}/v1/pets`, { headers });
	expect(reply.status).toBe(200);
	expect(await reply.json()).toHaveLength(20);
	expect((await fetch(`${url}/docs`)).status).toBe(200);
	sandbox.kill("SIGKILL");
	await sandbox.finished;
}
