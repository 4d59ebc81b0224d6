// Opens a sandbox for a test file, and calls it over its socket.
import { afterAll, beforeAll, beforeEach } from "bun:test";
import {
	openPetstore,
	type Petstore,
	type PetstoreOptions,
} from "../../src/petstore.ts";
import { defaultStart } from "../../src/sandbox/demo-animals.ts";
import type { RecordedRequest } from "../../src/testing/recorded-request.ts";
import { logTo } from "../harness/log.ts";

export interface TestSandbox {
	readonly url: string;
	readonly petstore: Petstore;
	/** The log records since the start of the test. */
	readonly log: Record<string, unknown>[];
	/** Sends a request with the key of the sandbox. */
	readonly call: (path: string, init?: RequestInit) => Promise<Response>;
	/** Adds an animal with this name, and returns the status. */
	readonly add: (name: string, headers?: HeadersInit) => Promise<number>;
	/** The names of the newest animals. */
	readonly names: (limit: number) => Promise<string[]>;
	readonly putFaults: (rules: unknown) => Promise<Response>;
	readonly requests: () => Promise<RecordedRequest[]>;
}

/** One sandbox for all tests of a file. It is reset before each of them. */
export function openSandboxForFile(
	options: Partial<PetstoreOptions> = {},
): () => TestSandbox {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await open(options);
	});
	beforeEach(async () => {
		await sandbox.call("/sandbox/reset", { method: "POST" });
		sandbox.log.length = 0;
	});
	afterAll(() => sandbox.petstore.stop());
	return () => sandbox;
}

async function open(options: Partial<PetstoreOptions>): Promise<TestSandbox> {
	const log: Record<string, unknown>[] = [];
	const petstore = await openPetstore({
		database: "sqlite::memory:",
		sandbox: defaultStart,
		log: { to: logTo((record) => log.push(record)) },
		...options,
	});
	const { url } = petstore;
	const call: TestSandbox["call"] = (path, init = {}) => {
		const headers = new Headers(init.headers);
		if (!headers.has("Authorization"))
			headers.set("Authorization", "Bearer sandbox");
		return fetch(url + path, { ...init, headers });
	};
	return {
		url,
		petstore,
		log,
		call,
		async add(name, headers = {}) {
			const body = JSON.stringify({ name, categoryId: 1 });
			const reply = await call("/v1/pets", { method: "POST", body, headers });
			return reply.status;
		},
		async names(limit) {
			const pets = await (await call(`/v1/pets?limit=${limit}`)).json();
			return pets.map(({ name }: { name: string }) => name);
		},
		putFaults: (rules) =>
			call("/sandbox/faults", { method: "PUT", body: JSON.stringify(rules) }),
		requests: async () => (await call("/sandbox/requests")).json(),
	};
}
