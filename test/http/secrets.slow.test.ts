// The service leaves no key in logs, replies, databases or files.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Client } from "pg";
import { createDatabase } from "../harness/postgres/server.ts";
import { type ProcessOptions, run, serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { engines, executeOn } from "../store/engines.ts";

const apiKey = "a-long-key-that-the-operator-chose";

test.each(engines)(
	"%s: leaves no key, no session token and no link in logs, replies, database or files",
	async (engine) => {
		using folder = temporaryFolder();
		const database =
			engine === "sqlite"
				? { url: `sqlite:${folder.path}/pets.db`, remove: folder.remove }
				: await createDatabase();
		const env = { PETSTORE_DATABASE: database.url, PETSTORE_API_KEY: apiKey };
		const options = { cwd: folder.path, env };
		const service = await serve(["--log-requests"], options);
		const create = (...args: string[]) =>
			run(["keys", "create", "--name", "x", ...args], options);
		const made = [
			await create(),
			await create("--scope", "read"),
			await create("--expires-at", "1h"),
			await create("--expires-at", "1s"),
			await create("--scope", "operator"),
		].map(({ stdout }) => stdout.trim());
		for (const key of made) expect(key).toStartWith("pet_");
		const link = await makeLink(options);
		const tokens = [
			await signIn(service.url, { key: made.at(-1) }),
			await signIn(service.url, { link }),
		];
		const keys = [...made, apiKey, ...tokens, link];

		const rename = (table: string) =>
			executeOn(engine, database.url, (schema) => [
				`ALTER TABLE ${schema}${table} RENAME TO gone_${table}`,
			]);
		let replies = "";
		const useAll = async () => {
			for (const key of keys)
				for (const attempt of attempts(service.url, key))
					replies += await toText(await fetch(attempt));
			for (const token of [...tokens, link])
				for (const attempt of cookieAttempts(service.url, token))
					replies += await toText(await fetch(attempt));
		};
		await useAll();
		await run(["keys", "revoke", "1"], options);
		// After a second the revocations are effective, and the fourth key has expired. The fifth key made a session.
		await run(["keys", "revoke", "5"], options);
		await Bun.sleep(1_000);
		await useAll();
		const listed = await run(["keys", "list"], options);
		const kept =
			engine === "sqlite" ? filesOf(folder.path) : await rowsOf(database.url);
		// Unexpected errors are logged in full.
		await rename("pets");
		await useAll();
		await rename("keys");
		await Bun.sleep(600);
		await useAll();
		const { stdout, stderr } = await service.stop();

		expect(/"status":50[03]\}/.test(replies)).toBe(true);
		expect(/"level":"error".*"(err|reason)":/.test(stderr)).toBe(true);
		expect(stderr.match(/"msg":"request"/g)?.length).toBeGreaterThan(100);
		const places = { replies, listed: listed.stdout, stdout, stderr, kept };
		for (const [index, key] of keys.entries()) {
			for (const [place, text] of Object.entries(places))
				for (const trace of tracesOf(key))
					expect([place, index, text.includes(trace)]).toEqual([
						place,
						index,
						false,
					]);
			// The search finds the stored hash, so it covers the stored data.
			if (key !== apiKey && key !== link)
				expect(kept.includes(digestOf(key))).toBe(true);
		}
		await database.remove();
	},
	60_000,
);

/** Requests with the key in many places. Some succeed and most fail. */
function attempts(url: string, key: string): Request[] {
	const Authorization = `Bearer ${key}`;
	const pets = `${url}/v1/pets`;
	const add = '{"name":"Rex","categoryId":1}';
	const get = (address: string, headers = { Authorization }) =>
		new Request(address, { headers });
	const post = (body: string, headers: Record<string, string> = {}) =>
		new Request(pets, {
			method: "POST",
			body,
			headers: { Authorization, ...headers },
		});
	return [
		...[pets, `${pets}/${key}`, `${url}/v1/${key}`, `${url}/${key}`].map(
			(address) => get(address),
		),
		...["limit", "status", "cursor", "key"].map((name) =>
			get(`${pets}?${name}=${key}`),
		),
		...[`${Authorization}x`, key, `Basic ${btoa(key)}`].map((wrong) =>
			get(pets, { Authorization: wrong }),
		),
		...[add, add.replace("Rex", "Tom")].map((body) =>
			post(body, { "Idempotency-Key": "once" }),
		),
		...[
			JSON.stringify({ name: "Rex", categoryId: 1, [key]: key }),
			JSON.stringify({ name: "Rex", categoryId: key, status: key }),
			...[key, key.repeat(3_000)],
		].map((body) => post(body)),
		post(key, { "Content-Type": `text/${key}` }),
		post("{}", { "Idempotency-Key": `${key} ${key}` }),
		new Request(pets, { method: "DELETE", headers: { Authorization } }),
	];
}

/** Requests with the token in the cookie, in the URL or in the body. */
function cookieAttempts(url: string, token: string): Request[] {
	const headers = { Cookie: `petstore=${token}`, Origin: url };
	const keys = `${url}/operator/v1/keys`;
	const sessions = `${url}/operator/v1/sessions`;
	return [
		...[
			...[keys, `${sessions}/current`, `${sessions}/${token}`],
			...[`${sessions}/current?link=${token}`, `${url}/console?link=${token}`],
		].map((address) => new Request(address, { headers })),
		...[
			[keys, JSON.stringify({ name: 1, [token]: token })],
			[sessions, JSON.stringify({ link: token, key: token })],
			[sessions, token],
		].map(
			([address = "", body = ""]) =>
				new Request(address, { method: "POST", body, headers }),
		),
	];
}

async function makeLink(options: ProcessOptions): Promise<string> {
	const { stdout } = await run(["console"], options);
	return /#link=(\S+)/.exec(stdout)?.[1] ?? "";
}

/** The token of a new session. */
async function signIn(url: string, body: object): Promise<string> {
	const reply = await fetch(`${url}/operator/v1/sessions`, {
		method: "POST",
		body: JSON.stringify(body),
		headers: { Origin: url },
	});
	return /=([\w-]{43});/.exec(reply.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
}

async function toText(reply: Response): Promise<string> {
	const headers = JSON.stringify([...reply.headers]);
	return `${headers}\n${await reply.text()}\n`;
}

/** The secret part of the key, as text and encoded. The service stores the first 8 characters on purpose. */
function tracesOf(key: string): string[] {
	const secret = key.startsWith("pet_") ? key.slice(8) : key;
	return [
		secret,
		Buffer.from(secret).toString("hex"),
		Buffer.from(key).toString("base64").slice(12, -4),
	];
}

function digestOf(key: string): string {
	return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

/** The text of the database file, its WAL, its WAL index and its backups. */
function filesOf(folder: string): string {
	const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
	for (const end of ["", "-shm", "-wal"])
		expect(names).toContain(`pets.db${end}`);
	return names
		.filter((name) => statSync(`${folder}/${name}`).isFile())
		.map((name) => readFileSync(`${folder}/${name}`, "latin1"))
		.join("\n");
}

/** All rows of all tables. */
async function rowsOf(url: string): Promise<string> {
	const client = new Client(url);
	await client.connect();
	const tables = await client.query(
		"SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
	);
	let text = "";
	for (const { name } of tables.rows) {
		const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`);
		text += rows.map(({ row }) => row).join("\n");
	}
	await client.end();
	return text;
}
