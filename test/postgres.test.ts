// PostgreSQL: the suite of all engines, and what only a server shows.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { Client } from "pg";
import { maxInt64 } from "../src/json.ts";
import { openStore } from "../src/store/open.ts";
import {
	createDatabase,
	type PostgresServer,
	startPostgres,
} from "./postgres-server.ts";
import { storeSuite } from "./store.suite.ts";
import { temporaryFolder } from "./temporary.ts";

storeSuite("postgres", async () => {
	const { url, remove } = await createDatabase();
	return { open: () => openStore(url, { create: true }), remove };
});

test("a database that is not encoded in UTF8 is refused", async () => {
	const { url, remove } = await createDatabase("SQL_ASCII");
	await expect(openStore(url, { create: true })).rejects.toThrow(
		/encoded in SQL_ASCII/,
	);
	await remove();
});

test("a database without a pet store is refused where only an existing one is wanted", async () => {
	const { url, remove } = await createDatabase();
	await expect(openStore(url, { create: false })).rejects.toThrow(
		/holds no pet store/,
	);
	await remove();
});

test("what was acknowledged survives a crash, even of a server whose default is not to wait for the disk", async () => {
	const server = await startPostgres([
		"synchronous_commit=off",
		"wal_writer_delay=10000",
	]);
	const pet = { name: "Rex", categoryId: 1n, status: "sold" } as const;
	const store = await openStore(server.url, { create: true });
	const added = await store.addPet(pet, undefined);
	await server.stop("SIGQUIT");
	await store.close();
	await server.start();
	const again = await openStore(server.url, { create: false });
	expect(added.outcome).toBe("added");
	expect(
		await again.listPets({ limit: 2, maxId: maxInt64, status: undefined }),
	).toEqual([{ id: 1n, ...pet }]);
	await again.close();
	await server.remove();
}, 30_000);

describe("sslmode", () => {
	let server: PostgresServer;
	let folder: ReturnType<typeof temporaryFolder>;
	beforeAll(async () => {
		folder = temporaryFolder();
		makeCertificate(folder.path);
		server = await startPostgres([], {
			certificate: `${folder.path}/server.crt`,
			key: `${folder.path}/server.key`,
		});
	}, 30_000);
	afterAll(async () => {
		await server.remove();
		folder.remove();
	});

	/** Whether the session of the store is encrypted. */
	const isEncrypted = async (query: string) => {
		const store = await openStore(server.url + query, { create: true });
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

	test("disable does not encrypt, require does without asking who it is", async () => {
		expect(await isEncrypted("?sslmode=disable")).toBe(false);
		expect(await isEncrypted("?sslmode=require")).toBe(true);
	});

	test("verify-full wants a certificate that is known", async () => {
		await expect(isEncrypted("?sslmode=verify-full")).rejects.toThrow(
			/cannot be used: .*certificate/,
		);
		const root = encodeURIComponent(`${folder.path}/server.crt`);
		expect(await isEncrypted(`?sslmode=verify-full&sslrootcert=${root}`)).toBe(
			true,
		);
	});
});

function makeCertificate(folder: string): void {
	execFileSync(
		"openssl",
		[
			..."req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1".split(
				" ",
			),
			...["-addext", "subjectAltName=IP:127.0.0.1"],
			...["-keyout", `${folder}/server.key`, "-out", `${folder}/server.crt`],
		],
		{ stdio: "pipe" },
	);
}
