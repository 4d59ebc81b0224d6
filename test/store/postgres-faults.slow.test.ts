// The service while PostgreSQL cannot be used, and several copies of it on one database. Faults under load are in
// test/faults/scenarios.slow.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import { openStore } from "../../src/store/store.ts";
import { apiKey, authorized, usePlace } from "../cli/place.ts";
import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import {
	alterSystem,
	countRows,
	execute,
	type PostgresServer,
	startPostgres,
} from "../harness/postgres/server.ts";
import type { Running } from "../harness/process.ts";
import { walk } from "../harness/walk.ts";
import { add } from "../harness/writers.ts";
import { answeredMs } from "../service.ts";

const place = usePlace("file");
let server: PostgresServer;
beforeAll(async () => {
	server = await startPostgres(["max_connections=20"]);
}, 30_000);
afterAll(() => server.remove());

const startService = (url = server.url) =>
	place.serve("", { PETSTORE_API_KEY: apiKey, PETSTORE_DATABASE: url });

async function stopService(service: Running): Promise<void> {
	expect((await service.stop()).status).toBe(0);
}

/** An empty catalogue for each test. */
async function emptyCatalogue(): Promise<void> {
	await execute(server.url, "DROP SCHEMA IF EXISTS petstore CASCADE");
}

describe("an outage of PostgreSQL", () => {
	let proxy: PostgresProxy;
	beforeAll(async () => {
		proxy = await startProxy(server.url);
	});
	afterAll(() => proxy.close());

	const outages: readonly {
		name: string;
		/** Returns a function that ends the outage. */
		begin: () => Promise<() => Promise<void>>;
	}[] = [
		{
			name: "stopped",
			async begin() {
				await server.stop("SIGINT");
				return server.start;
			},
		},
		{
			name: "frozen for 5 s (SIGSTOP)",
			async begin() {
				const pids = await sessionPids();
				for (const pid of pids) process.kill(pid, "SIGSTOP");
				const begun = performance.now();
				return async () => {
					await Bun.sleep(5_000 - (performance.now() - begun));
					for (const pid of pids) process.kill(pid, "SIGCONT");
				};
			},
		},
		{
			name: "unreachable for 4 s, without an error",
			async begin() {
				proxy.hold();
				const begun = performance.now();
				return async () => {
					await Bun.sleep(4_000 - (performance.now() - begun));
					proxy.restore();
				};
			},
		},
		{
			name: "out of connections",
			async begin() {
				const holders: Client[] = [];
				// The server frees the connection of a session a moment after the session has ended, so this is repeated.
				for (let time = 0; time < 10; time++) {
					await terminateService(holders);
					await Bun.sleep(50);
					while (await holdAnother(holders));
				}
				return async () => {
					await Promise.all(holders.map((client) => client.end()));
				};
			},
		},
		{
			name: "read-only",
			async begin() {
				const setting = "default_transaction_read_only";
				await alterSystem(server.url, `SET ${setting} = on`);
				return () =>
					alterSystem(
						`${server.url}?options=-c%20${setting}%3Doff`,
						`RESET ${setting}`,
					);
			},
		},
	];

	test.each(outages)(
		"answers 503 to /readyz and adds within 3 s, 200 to /healthz, and recovers by itself: $name",
		async ({ begin }) => {
			await emptyCatalogue();
			const service = await startService(proxy.url);
			expect((await add(service.url, apiKey, "before")).status).toBe(201);
			const end = await begin();

			try {
				const begun = performance.now();
				const replies = await Promise.all([
					add(service.url, apiKey, "during"),
					fetch(`${service.url}/readyz`),
					fetch(`${service.url}/healthz`),
				]);
				expect(performance.now() - begun).toBeLessThan(answeredMs);
				expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
				for (const reply of replies.slice(0, 2)) {
					expect(reply.headers.get("Retry-After")).toBe("1");
					expect(await reply.json()).toMatchObject({ code: "unavailable" });
				}
			} finally {
				// Otherwise a failure of this test would make all later tests fail.
				await end();
			}
			const ended = performance.now();
			while ((await fetch(`${service.url}/readyz`)).status !== 200)
				expect(performance.now() - ended).toBeLessThan(answeredMs);
			const again = await add(service.url, apiKey, "during");
			expect(again.status).toBe(201);
			expect(performance.now() - ended).toBeLessThan(answeredMs);
			const names = (await walk(service.url, apiKey)).map(([name]) => name);
			expect(names.sort()).toEqual(["before", "during"]);
			await stopService(service);
			// One line at once, then a count of the further failures.
			const problems = service
				.output()
				.stderr.split("\n")
				.filter((line) => /"level":"(warn|error)"/.test(line))
				.map((line) => JSON.parse(line));
			for (const { msg } of problems)
				expect(msg).toBe("the database cannot be used");
			expect(problems.length).toBeWithin(1, 3);
		},
		20_000,
	);
});

test("gives up all connections after the first timeout if they are lost without an error", async () => {
	await emptyCatalogue();
	const proxy = await startProxy(server.url);
	const service = await startService(proxy.url);
	await Promise.all(
		Array.from({ length: 8 }, (_, index) =>
			fetch(`${service.url}/v1/pets?limit=${index + 1}`, authorized),
		),
	);
	proxy.loseConnections();
	const begun = performance.now();
	while ((await add(service.url, apiKey, "after")).status !== 201)
		expect(performance.now() - begun).toBeLessThan(answeredMs);
	await stopService(service);
	proxy.close();
}, 15_000);

test("answers 503 to adds and 200 to lists while the synchronous standby is away, with one or two sessions waiting", async () => {
	await emptyCatalogue();
	const service = await startService();
	expect((await add(service.url, apiKey, "before")).status).toBe(201);
	const list = async () =>
		(await fetch(`${service.url}/v1/pets`, authorized)).status;
	expect(await list()).toBe(200);
	await alterSystem(server.url, "SET synchronous_standby_names = 'nobody'");
	for (let time = 0; time < 4; time++) {
		// A repeated add is refused too: its animal is on this server, but may not be on the standby.
		expect((await add(service.url, apiKey, "before")).status).toBe(503);
		expect((await add(service.url, apiKey, `during-${time}`)).status).toBe(503);
		expect(await list()).toBe(200);
	}
	const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
	expect(await countRows(server.url, waiting)).toBeWithin(1, 3);
	await alterSystem(server.url, "RESET synchronous_standby_names");
	for (const name of ["before", "during-0", "during-3"])
		expect((await add(service.url, apiKey, name)).status).toBe(201);
	const names = (await walk(service.url, apiKey)).map(([name]) => name);
	expect(new Set(names).size).toBe(names.length);
	await stopService(service);
}, 30_000);

test("stops even while PostgreSQL is frozen", async () => {
	await emptyCatalogue();
	const service = await startService();
	expect((await add(service.url, apiKey, "before")).status).toBe(201);
	const pids = await sessionPids();
	for (const pid of pids) process.kill(pid, "SIGSTOP");
	await stopService(service);
	for (const pid of pids) process.kill(pid, "SIGCONT");
}, 15_000);

test("refuses to open with the reason in a sentence, without the password", async () => {
	const changed = (change: (url: URL) => void) => {
		const url = new URL(server.url);
		change(url);
		return url.href;
	};
	const silent = await startProxy(server.url);
	silent.hold();
	for (const [url, reason] of [
		[
			changed((url) => Object.assign(url, { password: "hush" })),
			/password authentication failed/,
		],
		[
			changed((url) => Object.assign(url, { pathname: "no" })),
			/does not exist/,
		],
		["postgres://u:hush@127.0.0.1:1/x", /127\.0\.0\.1:1 .*ECONNREFUSED/],
		["postgres://u:hush@nowhere.invalid/x", /ENOTFOUND/],
		[silent.url, /timeout|terminated/],
	] as const) {
		const { message } = await openStore(url, { access: "create" }).then(
			() => new Error("It was opened."),
			(error: Error) => error,
		);
		expect(message).toMatch(reason);
		for (const password of ["hush", new URL(server.url).password])
			expect(message).not.toContain(password);
	}
	silent.close();
}, 15_000);

/** Ends the sessions of the service, over one of the held connections if any are held. */
async function terminateService([holder]: readonly Client[]): Promise<void> {
	const sql =
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'";
	await (holder === undefined ? execute(server.url, sql) : holder.query(sql));
}

/** Opens one more connection. Returns false if the server has none left. */
async function holdAnother(holders: Client[]): Promise<boolean> {
	const client = new Client(server.url);
	client.on("error", () => {});
	try {
		await client.connect();
	} catch {
		return false;
	}
	holders.push(client);
	return true;
}

async function sessionPids(): Promise<number[]> {
	const client = new Client(server.url);
	await client.connect();
	const { rows } = await client.query<{ pid: number }>(
		"SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
	);
	await client.end();
	return [server.pid(), ...rows.map(({ pid }) => pid)];
}
