// `serve --wait-for-database`: a start while PostgreSQL does not accept connections yet.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { startProxy } from "../harness/postgres/proxy.ts";
import {
	execute,
	type PostgresServer,
	startPostgres,
} from "../harness/postgres/server.ts";
import {
	petstore,
	type Running,
	run,
	serve,
	start,
	waitFor,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { add } from "../harness/writers.ts";
import { startMs } from "../service.ts";

const apiKey = "a-key-known-to-the-tests";

let server: PostgresServer;
let folder: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
	folder = temporaryFolder();
	server = await startPostgres([]);
}, startMs);
afterAll(async () => {
	await server.remove();
	folder.remove();
});

function startService(database: string, ...args: string[]): Running {
	const env = { PETSTORE_DATABASE: database, PETSTORE_API_KEY: apiKey };
	const command = [petstore, "serve", "--port", "0", ...args] as const;
	return start(command, { cwd: folder.path, env });
}

const waits = (duration: string) => ["--wait-for-database", duration];

/** The lines of the log that say that the service waits. */
function waitingLines({ output }: Running): string[] {
	return output().stderr.match(/^.*"waiting for the database".*$/gm) ?? [];
}

function waitForText(service: Running, text: RegExp): Promise<string> {
	const stderr = () => service.output().stderr;
	return waitFor(() => text.exec(stderr())?.[0], stderr);
}

/** Starts a service while PostgreSQL is stopped, starts PostgreSQL after that, and returns the service. */
async function startBeforePostgres(...args: string[]) {
	await server.stop("SIGINT");
	const service = startService(server.url, ...args);
	try {
		await waitForText(service, /waiting for the database/);
		// Several attempts fail in the meantime.
		await Bun.sleep(800);
	} finally {
		await server.start();
	}
	const listening = await waitForText(service, /.*"msg":"listening"/);
	return { service, url: /"url":"([^"]+)"/.exec(listening)?.[1] ?? "" };
}

test("waits until PostgreSQL has started, and logs one line about it, without the password", async () => {
	const { service, url } = await startBeforePostgres(...waits("30s"));
	expect((await add(url, apiKey, "Rex")).status).toBe(201);
	expect(waitingLines(service)).toHaveLength(1);
	expect(JSON.parse(waitingLines(service)[0] ?? "")).toMatchObject({
		level: "info",
		database: expect.stringContaining("***"),
		reason: expect.stringContaining("no server listens there"),
		ms: 30_000,
	});
	service.kill("SIGTERM");
	const { status, stderr } = await service.finished;
	expect(status).toBe(0);
	expect(stderr).not.toContain(server.password);
}, 30_000);

test("waits while PostgreSQL does not answer", async () => {
	const proxy = await startProxy(server.url);
	proxy.hold();
	const service = startService(proxy.url, ...waits("30s"));
	const line = await waitForText(service, /.*waiting for the database.*/);
	expect(line).toContain("the server does not answer");
	proxy.restore();
	await waitForText(service, /"msg":"listening"/);
	service.kill("SIGTERM");
	expect((await service.finished).status).toBe(0);
	proxy.close();
}, 30_000);

test("waits while PostgreSQL is read-only, for example a standby before its promotion", async () => {
	const name = new URL(server.url).pathname.slice(1);
	const setReadOnly = (value: "on" | "off") =>
		execute(
			server.url,
			`BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${value}; COMMIT`,
		);
	await setReadOnly("on");
	const service = startService(server.url, ...waits("30s"));
	const line = await waitForText(service, /.*waiting for the database.*/);
	expect(line).toContain("PostgreSQL is read-only");
	await setReadOnly("off");
	await waitForText(service, /"msg":"listening"/);
	service.kill("SIGTERM");
	expect((await service.finished).status).toBe(0);
}, 30_000);

/** An ErrorResponse of PostgreSQL's protocol. */
function errorResponse(code: string, message: string): Buffer {
	const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
	const length = Buffer.alloc(4);
	length.writeUInt32BE(4 + fields.length);
	return Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]);
}

// The tests from here on share nothing, so they run at the same time.
test.concurrent.each<[string, (socket: Socket) => void, RegExp]>([
	[
		"is starting up",
		(socket) => socket.end(errorResponse("57P03", "it is starting up")),
		/it is starting up/,
	],
	[
		"closes the connection",
		(socket) => socket.destroy(),
		/terminated unexpectedly|ECONNRESET/,
	],
])(
	"tries a server that %s again, and ends the wait at a signal to stop",
	async (_what, answer, reason) => {
		let attempts = 0;
		const listener = createServer((socket) => {
			attempts++;
			socket.on("error", () => {}).once("data", () => answer(socket));
		}).listen(0, "127.0.0.1");
		await once(listener, "listening");
		const address = listener.address();
		const port = typeof address === "object" ? address?.port : undefined;
		const database = `postgres://u:p@127.0.0.1:${port}/x`;
		const service = startService(database, ...waits("1h"));
		await waitFor(
			() => (attempts >= 3 ? true : undefined),
			() => service.output().stderr,
		);
		expect(waitingLines(service)).toHaveLength(1);
		expect(waitingLines(service)[0]).toMatch(reason);
		service.kill("SIGTERM");
		const { status, stdout, stderr } = await service.finished;
		expect([status, stdout]).toEqual([0, ""]);
		expect(stderr).toMatch(/"signal":"SIGTERM","msg":"stopping"/);
		expect(stderr).toMatch(/"msg":"stopped"/);
		listener.close();
	},
	30_000,
);

test.concurrent.each([
	["a host", "u:p@nowhere.invalid/x", /the host is unknown/],
	["a Unix socket", "/x?host=/nowhere", /no server listens there/],
])(
	"fails with the reason when the time is over: %s is missing",
	async (_what, rest, reason) => {
		const begun = performance.now();
		const { status, stderr } = await run(["serve", "--port", "0"], {
			cwd: folder.path,
			env: {
				PETSTORE_DATABASE: `postgres://${rest}`,
				PETSTORE_WAIT_FOR_DATABASE: "1s",
			},
		});
		expect(performance.now() - begun).toBeGreaterThan(1_000);
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^\{.*"waiting for the database"\}\npetstore: [^\n]*/,
		);
		expect(stderr).toMatch(/cannot be used: [^\n]*\.\n$/);
		expect(stderr).toMatch(reason);
	},
	30_000,
);

test.concurrent.each<[string, RegExp, (url: URL) => void]>([
	[
		"a wrong password",
		/password is wrong/,
		(url) => {
			url.password = "wrong";
		},
	],
	[
		"a missing database",
		/the database does not exist/,
		(url) => {
			url.pathname = "nothing_here";
		},
	],
	[
		"a wrong sslmode",
		/sslmode must be one of/,
		(url) => {
			url.searchParams.set("sslmode", "bogus");
		},
	],
])(
	"fails immediately with %s",
	async (_what, reason, change) => {
		const url = new URL(server.url);
		change(url);
		const { stderr } = await startService(url.href, ...waits("1h")).finished;
		expect(stderr).toMatch(/^petstore: [^\n]*\.\n$/);
		expect(stderr).toMatch(reason);
	},
	30_000,
);

test.concurrent("accepts the flag on SQLite, and does not wait", async () => {
	const database = ["--database", "sqlite::memory:"];
	const service = await serve([...database, ...waits("5m")], {
		cwd: folder.path,
	});
	expect(waitingLines(service)).toEqual([]);
	service.kill("SIGTERM");
	expect((await service.finished).status).toBe(0);
}, 30_000);

test.concurrent.each(["soon", "30", "1.5s", "-1s", "2027-01-31", "1000000s"])(
	"refuses the duration %s",
	async (text) => {
		const args = ["serve", `--wait-for-database=${text}`];
		const { status, stderr } = await run(args, { cwd: folder.path });
		expect(status).toBe(2);
		expect(stderr).toMatch(/'--wait-for-database <duration>'.*30s, 5m/);
	},
	30_000,
);

test("warns once, with sslmode, about PostgreSQL over a network without TLS", async () => {
	const warnings = async (database: string, ...args: string[]) => {
		const service = startService(database, ...args);
		await waitForText(service, /"listening"/);
		service.kill("SIGTERM");
		const { stderr } = await service.finished;
		return stderr.split("\n").filter((line) => line.includes('"level":"warn"'));
	};
	// It leads to this machine, but does not look like it.
	const elsewhere = server.url.replace("127.0.0.1", "0.0.0.0");
	expect(elsewhere).not.toBe(server.url);
	expect(await warnings(elsewhere)).toEqual([
		expect.stringMatching(/"host":"0\.0\.0\.0".*without TLS.*sslmode=require/),
	]);
	expect(await warnings(server.url)).toEqual([]);
}, 30_000);
