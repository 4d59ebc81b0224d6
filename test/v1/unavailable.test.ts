// A 503 to an add says whether the animal may have been added. It has Retry-After only if a retry is safe.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { buildShim, type DiskFault } from "../../faults/disk/shim.ts";
import {
	apiKey,
	fileIn,
	makeOperatorKey,
	openService as openRestartable,
} from "../../faults/service.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { librarySkipReason } from "../harness/c-library.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { toPet } from "../harness/pet.ts";
import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import { countRows, createDatabase } from "../harness/postgres/server.ts";
import { petstore } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";
import { expectError, openService, startMs } from "../service.ts";

test("answers 507 to an add, a change and a removal if all ids are used, and logs one line without a stack", async () => {
	const service = await openService("in process");
	const id = maxInt64;
	await service.store.archive.fill([toPet({ id, name: "x" })]);
	const body = '{"name":"Rex","categoryId":1}';
	const path = `/operator/v1/pets/${id}`;
	const authorization = `Bearer ${await service.makeKey({ scope: "operator" })}`;
	for (const [method, target] of [
		["POST", "/v1/pets"],
		["PATCH", path],
		["DELETE", path],
	] as const) {
		const reply = await service.call(target, {
			method,
			authorization,
			...(method !== "DELETE" && { body }),
		});
		expect(reply.headers.get("Retry-After")).toBeNull();
		await expectError(reply, "ids_exhausted", /^All ids are used/);
	}
	const list = await service.call("/v1/pets", { authorization });
	expect(list.status).toBe(200);
	expect(service.log).toMatchObject([{ level: "warn" }]);
	expect(service.log[0]).not.toHaveProperty("err");
	await service.close();
});

describe("When the store cannot answer", () => {
	describe("sqlite", () => {
		for (const [fault, what] of [
			["no-sync", "whose syncs fail"],
			["no-space", "that is full"],
		] as const)
			testDisk(
				fault,
				`says that an add to a disk ${what} may have succeeded, and repeats it safely with its Idempotency-Key`,
			);
	});

	describe("postgres", () => {
		let database: { url: string; remove: () => Promise<void> };
		let proxy: PostgresProxy;
		let service: Petstore;
		beforeAll(async () => {
			database = await createDatabase();
			proxy = await startProxy(database.url);
			service = await openPetstore({
				database: proxy.url,
				apiKey,
				log: { to: silentLog },
			});
			await add(service.url, { name: "the first" });
		}, startMs);
		afterAll(async () => {
			await service.stop();
			proxy.close();
			await database.remove();
		});
		const names = async () =>
			(await walk(service.url, apiKey)).map(([name]) => name);
		/** Holds a lock on the table while `use` runs. */
		const whileLocked = async (table: string, use: () => Promise<void>) => {
			const client = new Client(database.url);
			await client.connect();
			await client.query(`BEGIN; LOCK TABLE petstore.${table}`);
			// Otherwise a failure would make the next try fail too.
			await use().finally(() => client.end());
		};

		test("answers 503 with Retry-After if PostgreSQL cancels the statement of an add, and adds nothing", async () => {
			await whileLocked("pets", async () =>
				expectNothingAdded(await add(service.url, { name: "cancelled" })),
			);
			expect(await names()).not.toContain("cancelled");
		}, 10_000);

		test("says that an add may have succeeded if the reply from PostgreSQL is lost, and repeats it safely with its Idempotency-Key", async () => {
			const before = await names();
			proxy.dropReplyTo("COMMIT");
			await expectUnknown(await add(service.url, { name: "unnamed" }));
			proxy.dropReplyTo("COMMIT");
			const named = { name: "named", idempotencyKey: crypto.randomUUID() };
			await expectUnknownWithKey(await add(service.url, named));
			const again = await add(service.url, named);
			expect(again.headers.get("Idempotency-Replayed")).toBe("true");
			expect(await names()).toEqual(["named", "unnamed", ...before]);
		}, 10_000);

		test("says that an add may have succeeded if PostgreSQL ends its session", async () => {
			const waiting =
				"datname = current_database() AND wait_event_type = 'Lock'";
			const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`;
			await whileLocked("pets", async () => {
				const reply = add(service.url, { name: "ended" });
				while ((await countRows(database.url, end)) === 0) await Bun.sleep(5);
				await expectUnknown(await reply);
			});
		}, 10_000);

		test("answers 503 with Retry-After if the key of an add cannot be looked up, and adds nothing", async () => {
			const { key, record } = makeKey();
			await service.store.keys.add(record);
			await whileLocked("keys", async () => {
				const reply = await add(service.url, { key, name: "unknown" });
				expect(reply.headers.get("Retry-After")).toBe("1");
				await expectError(
					reply,
					"unavailable",
					/API key.* This request was not done; try again\.$/,
				);
			});
			expect(await names()).not.toContain("unknown");
		}, 10_000);

		test("answers 503 with Retry-After without a connection to PostgreSQL, and says that it added nothing", async () => {
			// The proxy accepts a connection and closes it, as a load balancer without a server does.
			proxy.moveTo("postgres://127.0.0.1:1");
			await Bun.sleep(100);
			await expectNothingAdded(await add(service.url));
			proxy.close();
			await expectNothingAdded(await add(service.url));
		}, 10_000);
	});
});

function testDisk(fault: DiskFault, title: string): void {
	const why = librarySkipReason();
	test.skipIf(why !== undefined)(
		why === undefined ? title : `${title} (${why})`,
		async () => {
			const folder = temporaryFolder();
			const shim = buildShim(folder.path);
			const target = { program: petstore, folder: folder.path };
			const service = await openRestartable(target, { env: shim.env });
			expect((await add(service.url())).status).toBe(201);
			shim.switchOn(fault);
			await expectUnknown(await refused(() => add(service.url())));
			const named = { name: "named", idempotencyKey: "k" };
			await expectUnknownWithKey(await add(service.url(), named));
			await service.kill();
			shim.switchOff(fault);
			await service.start();
			expect((await add(service.url(), named)).status).toBe(201);
			const listed = await walk(service.url(), apiKey);
			expect(listed.filter(([name]) => name === "named")).toHaveLength(1);
			await service.stop();
			folder.remove();
		},
		20_000,
	);
}

const noShim = librarySkipReason();
test.skipIf(noShim !== undefined)(
	`writes nothing more after a failed sync of pages that only a new start copies again${noShim ? ` (${noShim})` : ""}`,
	async () => {
		const folder = temporaryFolder();
		const shim = buildShim(folder.path);
		const target = { program: petstore, folder: folder.path };
		const path = fileIn(target);
		const key = await makeOperatorKey(`sqlite:${path}`);
		const service = await openRestartable(target, { env: shim.env });
		expect((await add(service.url())).status).toBe(201);
		// It stops a checkpoint after the first animal.
		const reader = new Database(path, { readonly: true });
		reader.run("BEGIN");
		reader.run("SELECT count(*) FROM pets");
		const headers = {
			Authorization: `Bearer ${key}`,
			"Content-Type": "application/x-ndjson",
		};
		const line = `{"name":"${"x".repeat(250)}","categoryId":1}\n`;
		const body = line.repeat(8_000);
		const imported = `${service.url()}/operator/v1/pets/import`;
		await fetch(imported, { method: "POST", headers, body });
		expect((await add(service.url())).status).toBe(201);
		// A thread may try for a second.
		await Bun.sleep(1_500);
		reader.close();
		shim.switchOn("no-database-sync");
		await refused(() => add(service.url()));
		shim.switchOff("no-database-sync");
		await Bun.sleep(1_500);
		await expectNothingAdded(await add(service.url()));
		await service.stop();
		await service.start();
		expect((await add(service.url())).status).toBe(201);
		await service.stop();
		folder.remove();
	},
	30_000,
);

/** The first 503. A full disk still accepts writes within the present length of the WAL file. */
async function refused(send: () => Promise<Response>): Promise<Response> {
	for (;;) {
		const reply = await send();
		if (reply.status !== 201) return reply;
	}
}

interface Add {
	readonly key?: string;
	readonly name?: string;
	readonly idempotencyKey?: string;
}

function add(
	url: string,
	{ key = apiKey, name = "Rex", idempotencyKey }: Add = {},
): Promise<Response> {
	return fetch(`${url}/v1/pets`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${key}`,
			...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
		},
		body: JSON.stringify({ name, categoryId: 1 }),
	});
}

async function expectNothingAdded(reply: Response): Promise<void> {
	expect(reply.headers.get("Retry-After")).toBe("1");
	await expectError(
		reply,
		"unavailable",
		/^The store cannot answer now\. This request added nothing; try again\.$/,
	);
}

async function expectUnknown(reply: Response): Promise<void> {
	expect(reply.headers.get("Retry-After")).toBeNull();
	await expectError(
		reply,
		"unavailable",
		/^It is not known whether the animal was added\. Look for it/,
	);
}

async function expectUnknownWithKey(reply: Response): Promise<void> {
	expect(reply.headers.get("Retry-After")).toBe("1");
	await expectError(
		reply,
		"unavailable",
		/^It is not known whether the animal was added; repeat the request with the same Idempotency-Key\.$/,
	);
}
