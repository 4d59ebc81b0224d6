// The messages between a supervisor and a worker. The test takes the place of the supervisor.
import { expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { petstore } from "../../harness/process.ts";
import { temporaryDatabase } from "../../harness/temporary.ts";
import { openStore } from "../../src/store/open.ts";
import {
	isListening,
	isRetire,
	isSendMetrics,
	isStop,
	listening,
	retire,
	sendMetrics,
	stop,
} from "../../src/workers/messages.ts";

test.each([
	[undefined],
	[null],
	["stop"],
	["listening"],
	["retire"],
	[17],
	[[]],
	[{}],
	[{ type: "reload" }],
])("%j is not recognised as a message", (message) => {
	expect(isListening(message)).toBe(false);
	expect(isStop(message)).toBe(false);
	expect(isRetire(message)).toBe(false);
});

test("each message is recognised after it was encoded as JSON and decoded", () => {
	expect(isListening(JSON.parse(JSON.stringify(listening)))).toBe(true);
	expect(isStop(JSON.parse(JSON.stringify(stop)))).toBe(true);
	expect(isRetire(JSON.parse(JSON.stringify(retire)))).toBe(true);
	expect(isSendMetrics(JSON.parse(JSON.stringify(sendMetrics)))).toBe(true);
});

test("a worker sends its metrics when it is asked for them, and at intervals", async () => {
	const { worker, stopped } = await startWorker();
	worker.send(sendMetrics);
	for (let sent = 0; sent < 2; sent++) {
		const [message] = await once(worker, "message");
		expect(message).toMatchObject({
			type: "own metrics",
			snapshot: { gauges: { petstore_processes: 1 } },
		});
	}
	worker.send(stop);
	expect(await stopped).toBe(0);
}, 10_000);

test("a worker reports that it listens, ignores unknown messages, and stops after the stop message", async () => {
	const { worker, stopped } = await startWorker();
	for (const message of ["stop", { type: "reload" }, 17]) worker.send(message);
	await Bun.sleep(300);
	expect(hasEnded(worker)).toBe(false);
	worker.send(stop);
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
	expect(first).toEqual(listening);
	return { worker, stopped };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}
