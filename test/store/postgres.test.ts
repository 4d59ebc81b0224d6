// What only the PostgreSQL engine does.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Client } from "pg";
import { sleepThread } from "../../src/domain/async.ts";
import { lockTaken } from "../../src/domain/errors.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { addPets } from "../../src/store/animals/add.ts";
import { all } from "../../src/store/database/sql.ts";
import {
	connect,
	connectForLong,
	setUp,
	toConfig,
	writerLock,
} from "../../src/store/postgres/connection.ts";
import { sendFlush, turns } from "../../src/store/postgres/flush.ts";
import { openStore } from "../../src/store/store.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { rex } from "../harness/pet.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import {
	countRows,
	createDatabase,
	execute,
	type PostgresServer,
	startPostgres,
	terminateSessions,
} from "../harness/postgres/server.ts";
import { waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { holdLock, openNewStore } from "./engines.ts";

test("refuses a database that is not encoded in UTF8", async () => {
	const { url, remove } = await createDatabase("SQL_ASCII");
	await expect(openStore(url, { access: "create" })).rejects.toThrow(
		/encoded in SQL_ASCII/,
	);
	await remove();
});

test("refuses a database without a pet store if it may not create one", async () => {
	const { url, remove } = await createDatabase();
	await expect(openStore(url, { access: "write" })).rejects.toThrow(
		/holds no pet store/,
	);
	await remove();
});

test("does not use a read-only session, not even for reads", async () => {
	await using store = await openNewStore("postgres");
	const { url } = store;
	const name = new URL(url).pathname.slice(1);
	await store.catalogue.addPet({ pet: rex });
	await execute(
		url,
		`ALTER DATABASE ${name} SET default_transaction_read_only = on`,
	);
	await terminateSessions(url);
	const page = { limit: 1, maxId: maxInt64, status: undefined };
	await expect(store.catalogue.listPets(page)).rejects.toMatchObject({
		code: "unavailable",
	});
	await expect(store.ping()).rejects.toMatchObject({ code: "unavailable" });
	await expect(openStore(url, { access: "create" })).rejects.toThrow(
		"default_transaction_read_only is on.",
	);
});

test("an add waits for the transaction of another copy, and finds the Idempotency-Key that it has saved", async () => {
	await using store = await openNewStore("postgres");
	const { url } = store;
	const other = new Client(url);
	await other.connect();
	await other.query(
		`SET search_path = petstore; BEGIN; SELECT ${writerLock}; INSERT INTO idempotency_keys VALUES ('o', 'k', 'f', 17, ${Date.now()})`,
	);
	const idempotency = { owner: "o", key: "k", fingerprint: "f" };
	const added = store.catalogue.addPet({
		pet: rex,
		idempotency: { ...idempotency, at: Date.now() },
	});
	const waiting =
		"SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
	while ((await countRows(url, waiting)) === 0) await Bun.sleep(5);
	await other.query("COMMIT");
	expect(await added).toMatchObject({ outcome: "replayed", id: 17n });
	await other.end();
});

test("a process that stops inside its transaction holds up the writes of others for a second, without an error", async () => {
	await using store = await openNewStore("postgres");
	const stopped = await connect(toConfig(store.url));
	await setUp(stopped, { isReadOnly: false, statementMs: 0, idleMs: 1_000 });
	await stopped.query(`BEGIN; SELECT ${writerLock}`);
	const begun = performance.now();
	expect(await store.catalogue.addPet({ pet: rex })).toMatchObject({ id: 1n });
	expect(performance.now() - begun).toBeGreaterThan(500);
	await stopped.end().catch(() => {});
});

test("keeps its connection, without a transaction, after a refusal and after it waited too long for the lock", async () => {
	await using store = await openNewStore("postgres");
	const { url } = store;
	const { id } = await store.categories.add("Dogs");
	const client = new Client(url);
	await client.connect();
	const readSessions = async () => {
		const { rows } = await client.query(
			"SELECT pid, state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore'",
		);
		return rows;
	};
	const sessions = await readSessions();
	expect(sessions).toMatchObject([{ state: "idle" }]);
	await expect(store.categories.set(id + 1n, "dogs")).rejects.toMatchObject({
		code: "conflict",
	});
	expect(await readSessions()).toEqual(sessions);
	const release = await holdLock(url);
	await expect(store.categories.add("Cats")).rejects.toMatchObject({
		wroteNothing: true,
		cause: lockTaken,
	});
	await release();
	expect(await readSessions()).toEqual(sessions);
	expect(await store.categories.add("Cats")).toMatchObject({ id: id + 1n });
	await client.end();
});

test("a copy that flushes together with others waits while another one has the turn", async () => {
	await using store = await openNewStore("postgres");
	await store.catalogue.addPet({ pet: rex });
	const [other, own] = await Promise.all(
		[1, 2].map(async () => {
			const client = await connect(toConfig(store.url));
			await setUp(client, { isReadOnly: false, statementMs: 0, idleMs: 0 });
			return client;
		}),
	);
	for (const turn of turns)
		await other?.query(`BEGIN; SELECT pg_advisory_xact_lock(${turn})`);
	let isDone = false;
	const flushed = own && sendFlush(own, 1);
	flushed?.finally(() => {
		isDone = true;
	});
	await Bun.sleep(200);
	expect(isDone).toBe(false);
	await other?.query("COMMIT");
	expect(await flushed).toMatchObject({ last: 1n });
	await Promise.all([own?.end(), other?.end()]);
});

test("starts ten copies at the same time where the default isolation is serializable", async () => {
	const { url, remove } = await createDatabase();
	const name = new URL(url).pathname.slice(1);
	await execute(
		url,
		`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`,
	);
	const stores = await Promise.all(
		Array.from({ length: 10 }, () => openStore(url, { access: "create" })),
	);
	for (const store of stores) {
		expect(await store.ping()).toBeUndefined();
		await store.close();
	}
	await remove();
});

test("each session has the settings that it needs, whatever the database has", async () => {
	const { url, remove } = await createDatabase();
	const settings = [
		["array_nulls", "off", "on"],
		["default_transaction_isolation", "serializable", "read committed"],
		["enable_nestloop", "off", "on"],
		["idle_session_timeout", "50", "0"],
		["jit", "on", "off"],
		["plan_cache_mode", "force_generic_plan", "auto"],
		["random_page_cost", "1000", "1.1"],
		["search_path", "nowhere", "petstore"],
		["synchronous_commit", "local", "on"],
	] as const;
	const name = new URL(url).pathname.slice(1);
	for (const [setting, odd] of settings)
		await execute(url, `ALTER DATABASE ${name} SET ${setting} = '${odd}'`);
	const ofRequests = await connect(toConfig(url));
	await setUp(ofRequests, { isReadOnly: false, statementMs: 1_500, idleMs: 1 });
	for (const client of [
		ofRequests,
		await connectForLong(url, "read"),
		await connectForLong(url, "write"),
	]) {
		for (const [setting, , needed] of settings) {
			const { rows } = await client.query(`SHOW ${setting}`);
			expect(rows).toEqual([{ [setting]: needed }]);
		}
		await client.end();
	}
	await remove();
});

test("a long command is not ended by the timeouts of the database", async () => {
	await using store = await openNewStore("postgres");
	await execute(
		store.url,
		`DO $$ DECLARE setting text; BEGIN
			FOR setting IN SELECT name FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
			LOOP EXECUTE format('ALTER DATABASE %I SET %s = 50', current_database(), setting); END LOOP;
		END $$`,
	);
	await store.archive.write(function* () {
		yield* addPets([{ pet: rex }]);
		// Rows are asked for, so that the transaction is idle from here on.
		yield* all("find change", "SELECT 1");
		sleepThread(300);
		yield* all("find change", "SELECT 1");
	});
	expect(await store.catalogue.getPet(1n)).toMatchObject(rex);
});

test.if(process.platform === "linux")(
	"notices within a minute that the server of a long command has vanished",
	async () => {
		const { url, remove } = await createDatabase();
		const proxy = await startProxy(url);
		const client = await connectForLong(proxy.url, "read");
		const port = Number(new URL(proxy.url).port).toString(16).toUpperCase();
		// Local address, remote address, state (1: established), queues, timer (2: keep-alive) and its hundredths of a second.
		const connection = new RegExp(
			`: \\w+:\\w+ \\w+:${port.padStart(4, "0")} 01 \\w+:\\w+ 02:(\\w+)`,
		);
		const [, hundredths = ""] =
			connection.exec(readFileSync("/proc/net/tcp", "utf8")) ?? [];
		expect(Number.parseInt(hundredths, 16) / 100).toBeLessThan(60);
		await client.end();
		proxy.close();
		await remove();
	},
);

test("keeps the newest states only", async () => {
	await using store = await openNewStore("postgres");
	for (let count = 0; count < 300; count++)
		await store.categories.set(1n, `Dogs ${count}`);
	const states = "SELECT FROM petstore.counter";
	await waitFor(async () => (await countRows(store.url, states)) < 130);
});

test("a connection that is lost during a check is no damage", async () => {
	const { url, remove } = await createDatabase();
	const proxy = await startProxy(url);
	const store = await openStore(proxy.url, { access: "create" });
	proxy.dropReplyTo("OVER ()");
	await expect(store.check()).rejects.toMatchObject({ code: "unavailable" });
	expect(await store.check()).toMatchObject({ problems: 0 });
	await store.close();
	proxy.close();
	await remove();
});

test("uses a schema that another user has created for the service, and refuses one without rights", async () => {
	const { url, remove } = await createDatabase();
	const name = new URL(url).pathname.slice(1);
	const role = name.replace("test", "role");
	await execute(
		url,
		`CREATE ROLE ${role} LOGIN PASSWORD 'x'; CREATE SCHEMA petstore; GRANT USAGE ON SCHEMA petstore TO ${role}`,
	);
	const own = new URL(url);
	own.username = role;
	own.password = "x";
	await expect(openStore(own.href, { access: "create" })).rejects.toThrow(
		/has a schema petstore in which this role may not/,
	);
	await execute(url, `ALTER SCHEMA petstore OWNER TO ${role}`);
	const store = await openStore(own.href, { access: "create" });
	expect(await store.catalogue.addPet({ pet: rex })).toMatchObject({
		outcome: "added",
	});
	await store.close();
	await execute(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
	await remove();
});

describe("sslmode", () => {
	test.each(["prefer", "allow", "bogus"])(
		"refuses %s in one sentence",
		async (mode) => {
			await expect(
				openStore(`postgres://u:p@127.0.0.1:1/x?sslmode=${mode}`, {
					access: "create",
				}),
			).rejects.toThrow(
				/^sslmode must be one of disable, require, verify-ca, verify-full\.$/,
			);
		},
	);

	let server: PostgresServer;
	let folder: ReturnType<typeof temporaryFolder>;
	beforeAll(async () => {
		folder = temporaryFolder();
		server = await startPostgres([], {
			tls: makeCertificate(folder.path, "server"),
		});
	}, 30_000);
	afterAll(async () => {
		await server.remove();
		folder.remove();
	});

	/** Whether the session of the store is encrypted. */
	const isEncrypted = async (query: string) => {
		const store = await openStore(server.url + query, { access: "create" });
		await store.ping();
		const client = new Client(server.url);
		await client.connect();
		const { rows } = await client.query(
			`SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
			WHERE application_name = 'petstore' AND state = 'idle'`,
		);
		await client.end();
		await store.close();
		return rows[0]?.ssl;
	};

	test("disable does not encrypt, and require encrypts without verifying the certificate", async () => {
		expect(await isEncrypted("?sslmode=disable")).toBe(false);
		expect(await isEncrypted("?sslmode=require")).toBe(true);
	});

	test("sslmode verify-full accepts only a trusted certificate", async () => {
		await expect(isEncrypted("?sslmode=verify-full")).rejects.toThrow(
			/cannot be used: .*certificate/,
		);
		const root = encodeURIComponent(`${folder.path}/server.crt`);
		for (const mode of ["verify-ca", "verify-full"])
			expect(await isEncrypted(`?sslmode=${mode}&sslrootcert=${root}`)).toBe(
				true,
			);
		await expect(isEncrypted("?sslmode=verify-ca")).rejects.toThrow(
			"sslrootcert",
		);
	});
});
