// The messages between a supervisor and a worker. The test takes the place of the supervisor.
import { expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openStore } from "../../src/store/open.ts";
import { isMessage } from "../../src/workers/messages.ts";
import { petstore } from "../harness/process.ts";
import { temporaryDatabase } from "../harness/temporary.ts";

test.each([
	[undefined],
	[null],
	["stop"],
	[17],
	[[]],
	[{}],
	[{ type: "reload" }],
	[{ type: "retire" }],
])("does not take %j as the message to stop", (message) => {
	expect(isMessage(message, "stop")).toBe(false);
});

test("sends its metrics on request and at intervals", async () => {
	const { worker, stopped } = await startWorker();
	worker.send({ type: "send metrics" });
	for (let sent = 0; sent < 2; sent++) {
		const [message] = await once(worker, "message");
		expect(message).toMatchObject({
			type: "own metrics",
			snapshot: { petstore_processes: [1] },
		});
	}
	worker.send({ type: "stop" });
	expect(await stopped).toBe(0);
}, 10_000);

test("reports that it listens, ignores unknown messages, and stops after the stop message", async () => {
	const { worker, stopped } = await startWorker();
	for (const message of ["stop", { type: "reload" }, 17]) worker.send(message);
	await Bun.sleep(300);
	expect(hasEnded(worker)).toBe(false);
	worker.send({ type: "stop" });
	expect(await stopped).toBe(0);
}, 10_000);

/** Resolves when it has reported that it listens. */
async function startWorker() {
	const database = temporaryDatabase();
	const store = await openStore(database.url, { create: true });
	await store.close();
	const worker = spawn(petstore, ["serve", "--database", database.url], {
		env: { PATH: process.env.PATH, PETSTORE_WORKER: "1:0" },
		stdio: ["ignore", "ignore", "pipe", "ipc"],
	});
	const stopped = once(worker, "exit").then(([status]) => {
		database.remove();
		return status;
	});
	const [first] = await once(worker, "message");
	expect(first).toEqual({ type: "listening" });
	return { worker, stopped };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}
