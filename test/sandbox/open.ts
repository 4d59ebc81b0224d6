// Opens a sandbox for a test file, and calls it over its socket.
import { afterAll, beforeAll, beforeEach } from "bun:test";
import { openPetstore } from "../../src/petstore.ts";
import { defaultStart } from "../../src/sandbox/demo-animals.ts";
import type { RecordedRequest } from "../../src/testing/recorded-request.ts";
import { logTo } from "../harness/log.ts";

/** One sandbox for all tests of a file. It is reset before each of them. */
export function openSandboxForFile() {
	let sandbox: Awaited<ReturnType<typeof open>>;
	beforeAll(async () => {
		sandbox = await open();
	});
	beforeEach(async () => {
		await sandbox.call("/sandbox/reset", { method: "POST" });
		sandbox.log.length = 0;
	});
	afterAll(() => sandbox.petstore.stop());
	return () => sandbox;
}

async function open() {
	const log: Record<string, unknown>[] = [];
	const petstore = await openPetstore({
		database: "sqlite::memory:",
		sandbox: defaultStart,
		log: { to: logTo((record) => log.push(record)) },
	});
	const { url } = petstore;
	const call = (path: string, init: RequestInit = {}) => {
		const headers = new Headers(init.headers);
		if (!headers.has("Authorization"))
			headers.set("Authorization", "Bearer sandbox");
		return fetch(url + path, { ...init, headers });
	};
	return {
		url,
		petstore,
		/** The log records since the start of the test. */
		log,
		/** Sends a request with the key of the sandbox. */
		call,
		/** Adds an animal with this name, and returns the status. */
		async add(name: string, headers: HeadersInit = {}): Promise<number> {
			const body = JSON.stringify({ name, categoryId: 1 });
			const reply = await call("/v1/pets", { method: "POST", body, headers });
			return reply.status;
		},
		/** The names of the newest animals. */
		async names(limit: number): Promise<string[]> {
			const pets = await (await call(`/v1/pets?limit=${limit}`)).json();
			return pets.map(({ name }: { name: string }) => name);
		},
		putFaults: (rules: unknown) =>
			call("/sandbox/faults", { method: "PUT", body: JSON.stringify(rules) }),
		requests: async (): Promise<RecordedRequest[]> =>
			(await call("/sandbox/requests")).json(),
	};
}
