// `petstore serve`: the start, the first key, the settings, the log and the stop.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { join } from "node:path";
import { openStore } from "../../src/store/store.ts";
import { createDatabase, execute } from "../harness/postgres/server.ts";
import {
	type ProcessOptions,
	petstore,
	root,
	run,
	serve,
	start,
	waitFor,
} from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

function service(
	args: readonly string[] = [],
	env: ProcessOptions["env"] = {},
): ReturnType<typeof serve> {
	return serve(args, { cwd: folder.path, env });
}

const known = "a-key-known-to-the-tests";
const authorized = { headers: { Authorization: `Bearer ${known}` } };

/** Resolves when the first signal has been handled. */
function untilStopping(
	output: Awaited<ReturnType<typeof serve>>["output"],
): Promise<true> {
	return waitFor(
		() => output().stderr.includes('"stopping"') || undefined,
		() => output().stderr,
	);
}

async function answers(url: string): Promise<boolean> {
	return fetch(`${url}/healthz`).then(
		() => true,
		() => false,
	);
}

describe("start", () => {
	test("creates the database and a first key, and prints a curl command that works", async () => {
		const { output } = await service();
		const curl = await waitFor(
			() => /^ {2}(curl .*)$/m.exec(output().stdout)?.[1],
			() => output().stdout,
		);
		expect(output().stdout.match(/pet_\w{38}/g)).toHaveLength(2);
		expect(output().stderr).not.toContain("pet_");
		const data = join(folder.path, "data");
		expect(statSync(data).mode & 0o777).toBe(0o700);
		expect(statSync(join(data, "petstore.db")).mode & 0o777).toBe(0o600);
		expect(execFileSync("sh", ["-c", curl], { stdio: "pipe" }).toString()).toBe(
			"[]",
		);
	});

	test("creates no key if the database has one", async () => {
		const first = await service();
		await waitFor(
			() => first.output().stdout.match(/pet_/) ?? undefined,
			() => "no first key",
		);
		first.kill("SIGTERM");
		await first.finished;
		const second = await service();
		expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
		second.kill("SIGTERM");
		expect((await second.finished).stdout).toBe("");
	});

	describe("A known key", () => {
		test("accepts PETSTORE_API_KEY as a key, and creates no first key", async () => {
			const { url, kill, finished } = await service([], {
				PETSTORE_API_KEY: known,
			});
			expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(200);
			kill("SIGTERM");
			const { stdout, stderr } = await finished;
			expect(stdout).toBe("");
			expect(stderr).not.toContain(known);
			expect(stderr).not.toContain("warn");
			const keys = await run(["keys", "list", "--json"], { cwd: folder.path });
			expect(JSON.parse(keys.stdout)).toEqual({ keys: [] });
		});
		test("warns about a short PETSTORE_API_KEY", async () => {
			const { output } = await service([], { PETSTORE_API_KEY: "short" });
			expect(output().stderr).toMatch(/"level":"warn".*PETSTORE_API_KEY/);
			expect(output().stderr).not.toContain("short");
		});
	});

	test("creates no file for a database in memory", async () => {
		const { url } = await service(["--database", "sqlite::memory:"]);
		expect((await fetch(`${url}/readyz`)).status).toBe(200);
		expect(readdirSync(folder.path)).toEqual([]);
	});

	test("a flag overrides an environment variable", async () => {
		const flagged = await service(
			["--database", "sqlite:flag.db", "--host", "127.0.0.1"],
			{ PETSTORE_DATABASE: "sqlite:variable.db", PETSTORE_HOST: "192.0.2.1" },
		);
		expect((await fetch(`${flagged.url}/readyz`)).status).toBe(200);
		expect(readdirSync(folder.path)).toContain("flag.db");
		expect(readdirSync(folder.path)).not.toContain("variable.db");
		await service([], { PETSTORE_DATABASE: "sqlite:variable.db" });
		expect(readdirSync(folder.path)).toContain("variable.db");
	});

	test("prefers PETSTORE_PORT to PORT, and takes an empty variable as unset", async () => {
		const taken = [0, 0].map((port) =>
			Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }),
		);
		const [own = "", platform = ""] = taken.map(({ port }) => String(port));
		for (const [PETSTORE_PORT, tried] of [
			[own, own],
			["", platform],
		] as const) {
			const { stderr } = await run(["serve"], {
				cwd: folder.path,
				env: { PETSTORE_PORT, PORT: platform, PETSTORE_HOST: "" },
			});
			expect(stderr).toContain(`Cannot listen on 127.0.0.1:${tried}:`);
		}
		for (const server of taken) await server.stop(true);
	});

	test("PETSTORE_BASE_URL and PETSTORE_STAGING_URL change the OpenAPI document of the service", async () => {
		const { url } = await service([], {
			PETSTORE_BASE_URL: "https://pets.example",
			PETSTORE_STAGING_URL: "https://staging.pets.example",
		});
		const document = await (await fetch(`${url}/openapi.json`)).json();
		expect(document.servers).toMatchObject([
			{ url: "https://pets.example/v1" },
			{ url: "https://staging.pets.example/v1" },
		]);
	});

	test("reads no .env file from its working directory", async () => {
		writeFileSync(join(folder.path, ".env"), `PETSTORE_API_KEY=${known}\n`);
		const { url } = await service();
		expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(401);
	});
});

test(
	"warns once about PostgreSQL over a network without TLS",
	async () => {
		const { url, remove } = await createDatabase();
		const warnings = async (database: string) => {
			const { kill, finished } = await service(["--database", database]);
			kill("SIGTERM");
			const { stderr } = await finished;
			return stderr.match(/^.*"level":"warn".*$/gm) ?? [];
		};
		// It leads to this machine, but does not look like it.
		const elsewhere = url.replace("127.0.0.1", "0.0.0.0");
		expect(elsewhere).not.toBe(url);
		expect(await warnings(elsewhere)).toEqual([
			expect.stringMatching(/without TLS.*sslmode=require/),
		]);
		expect(await warnings(url)).toEqual([]);
		await remove();
	},
	startMs,
);

describe("a failed start prints one sentence with the reason and ends with status 1", () => {
	const fail = async (args: readonly string[], message: RegExp) => {
		const options = { cwd: folder.path, env: { PORT: "0" } };
		const { status, stdout, stderr } = await run(["serve", ...args], options);
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(/^petstore: .*\.\n$/);
		expect(stderr).toMatch(message);
	};

	describe("the port is in use", () => {
		let taken: Server;
		let args: string[];
		beforeEach(async () => {
			taken = createServer().listen(0, "127.0.0.1");
			await once(taken, "listening");
			const address = taken.address();
			const port = typeof address === "object" ? String(address?.port) : "";
			args = ["--port", port];
		});
		afterEach(() => taken.close());

		test("creates no database", async () => {
			await fail(args, /127\.0\.0\.1:\d+: the port is in use.*--port/);
			expect(readdirSync(folder.path)).toEqual([]);
		});

		test("does not touch an existing database", async () => {
			const created = await service();
			created.kill("SIGTERM");
			await created.finished;
			const path = join(folder.path, "data", "petstore.db");
			const state = () => [readFileSync(path), statSync(path).mtimeMs];
			const before = state();
			await fail(args, /the port is in use/);
			expect(state()).toEqual(before);
			expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
		});
	});
	test("creates no database if the machine does not have the address", async () => {
		await fail(["--host", "192.0.2.1", "--port", "0"], /192\.0\.2\.1/);
		expect(readdirSync(folder.path)).toEqual([]);
	});
	test("says that the host name is unknown", async () => {
		await fail(
			["--host", "nowhere.invalid", "--port", "0"],
			/the host was not found/,
		);
	});
	test("revokes the first key if it cannot print it on stdout", async () => {
		const { finished } = start(
			["sh", "-c", `exec ${petstore} serve --port 0 > /dev/full`],
			{ cwd: folder.path },
		);
		const { status, stderr } = await finished;
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: The output cannot be written/m);
		const keys = await run(["keys", "list", "--json"], { cwd: folder.path });
		const [first] = JSON.parse(keys.stdout).keys;
		expect(first.revokedAt).toBeString();
	});
	test(
		"looks for keys before it says that it listens",
		async () => {
			const { url, remove } = await createDatabase();
			await (await openStore(url, { access: "create" })).close();
			await execute(url, "ALTER TABLE petstore.keys RENAME TO renamed");
			const args = ["serve", "--port", "0"];
			const { status, stderr } = await run([...args, "--database", url], {
				cwd: folder.path,
			});
			expect(status).toBe(1);
			expect(stderr).not.toContain('"listening"');
			await remove();
		},
		startMs,
	);
	test("names a database whose folder cannot be created", async () => {
		writeFileSync(join(folder.path, "data"), "a file");
		await fail([], /data\/petstore\.db cannot be opened/);
	});
	describe("the folder of the backups", () => {
		test("refuses a file", async () => {
			writeFileSync(join(folder.path, "file"), "");
			await fail(
				["--backups", "file"],
				/: The backup folder file cannot be read: not a/,
			);
			expect(readdirSync(folder.path)).toEqual(["file"]);
		});
		test("refuses a link that leads to itself", async () => {
			symlinkSync("loop", join(folder.path, "loop"));
			await fail(["--backups", "loop"], /folder loop cannot be read: .*link/);
		});
	});
	test("names a database whose path is a folder", async () => {
		mkdirSync(join(folder.path, "data", "petstore.db"), { recursive: true });
		await fail([], /data\/petstore\.db/);
	});
});

describe("stop", () => {
	test.each(["SIGTERM", "SIGINT"] as const)(
		"%s stops the service with status 0 and closes the database",
		async (signal) => {
			const { kill, finished } = await service([], { PETSTORE_API_KEY: known });
			kill(signal);
			const { status, stderr } = await finished;
			expect(status).toBe(0);
			expect(stderr).toMatch(/"listening".*"stopping".*"stopped"/s);
			expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
		},
	);

	test("SIGTERM to npm start stops the service", async () => {
		const npm = start(["npm", "--prefix", root, "start", "--", "--port", "0"], {
			cwd: folder.path,
			env: {
				PETSTORE_DATABASE: `sqlite:${folder.path}/npm.db`,
				PETSTORE_API_KEY: known,
			},
		});
		const url = await waitFor(
			() => /"url":"([^"]+)"/.exec(npm.output().stderr)?.[1],
			() => npm.output().stderr,
		);
		npm.kill("SIGTERM");
		expect((await npm.finished).stderr).toContain('"stopped"');
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
		expect(existsSync(`${folder.path}/npm.db-wal`)).toBe(false);
	});

	test("answers 503 to /readyz while it drains, and still answers a request from before SIGTERM", async () => {
		const { url, kill, finished } = await service(["--drain", "2"], {
			PETSTORE_API_KEY: known,
		});
		const slow = startSlowAdd(url);
		await slow.begun;
		kill("SIGTERM");
		let ready = await fetch(`${url}/readyz`);
		while (ready.status === 200) ready = await fetch(`${url}/readyz`);
		expect(ready.status).toBe(503);
		expect(await ready.json()).toMatchObject({ code: "unavailable" });
		expect((await fetch(`${url}/healthz`)).status).toBe(200);
		expect((await fetch(`${url}/v1/pets`, authorized)).status).toBe(200);
		while (await answers(url)) await Bun.sleep(20);
		slow.finish();
		expect(await slow.reply).toStartWith("HTTP/1.1 201");
		expect((await finished).status).toBe(0);
	}, 20_000);

	test("ends the process immediately at a second signal", async () => {
		const { url, kill, finished, output } = await service([], {
			PETSTORE_API_KEY: known,
		});
		const slow = startSlowAdd(url);
		await slow.begun;
		kill("SIGTERM");
		await untilStopping(output);
		await Bun.sleep(500);
		const begun = performance.now();
		kill("SIGTERM");
		expect((await finished).status).toBe(128 + 15);
		expect(performance.now() - begun).toBeLessThan(5_000);
		slow.finish();
	});

	test("takes a different signal shortly after the first as a second signal", async () => {
		const { kill, finished, output } = await service(["--drain", "5"]);
		kill("SIGTERM");
		await untilStopping(output);
		kill("SIGINT");
		expect((await finished).status).toBe(128 + 2);
	});

	test("stops without waiting for an incomplete request", async () => {
		const { url, kill, finished } = await service();
		const { hostname, port } = new URL(url);
		const socket = createConnection(Number(port), hostname);
		socket.on("error", () => {}).write("GET /hea");
		await Bun.sleep(100);
		const begun = performance.now();
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
		expect(performance.now() - begun).toBeLessThan(5_000);
	});

	test("takes the same signal twice within a moment as one, since npm passes Ctrl-C on", async () => {
		const { kill, finished } = await service(["--drain", "0.5"]);
		kill("SIGINT");
		await Bun.sleep(100);
		kill("SIGINT");
		expect((await finished).status).toBe(0);
	});
});

describe("log", () => {
	test("prints JSON lines, and none for a request without --log-requests", async () => {
		const { url, kill, finished } = await service([], {
			PETSTORE_API_KEY: known,
		});
		const reply = await fetch(`${url}/v1/pets`, authorized);
		expect(reply.headers.has("X-Request-Id")).toBe(false);
		kill("SIGTERM");
		const lines = (await finished).stderr.trim().split("\n");
		expect(lines.map((line) => JSON.parse(line))).toEqual([
			{
				level: "info",
				time: expect.stringMatching(/^\d{4}-.*Z$/),
				url,
				database: "sqlite:data/petstore.db",
				msg: "listening",
			},
			expect.objectContaining({ signal: "SIGTERM", msg: "stopping" }),
			expect.objectContaining({ msg: "stopped" }),
		]);
	});

	test("answers and stops normally if its log cannot be written", async () => {
		const { pid, kill, finished } = start(
			[
				"sh",
				"-c",
				`exec ${petstore} serve --port 0 --log-requests --database sqlite:full.db 2> /dev/full`,
			],
			{ cwd: folder.path },
		);
		const port = await waitFor(
			// Before it creates the database, it listens for a moment, to see whether the address is free.
			() =>
				existsSync(`${folder.path}/full.db`) ? listeningPort(pid) : undefined,
			() => "it does not listen",
		);
		const url = `http://127.0.0.1:${port}`;
		for (const path of ["/healthz", "/readyz", "/v1/nothing"]) {
			const reply = await fetch(url + path);
			expect(reply.headers.get("Content-Type")).toBe("application/json");
		}
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	});

	test("answers if nobody reads its log", async () => {
		const child = spawn(
			petstore,
			["serve", "--port", "0", "--log-requests", "--database", "sqlite:x.db"],
			{
				cwd: folder.path,
				env: { PATH: process.env.PATH },
				stdio: ["ignore", "ignore", "pipe"],
			},
		);
		const port = await waitFor(
			() => listeningPort(child.pid ?? 0),
			() => "it does not listen",
		);
		for (let count = 0; count < 2_000; count++)
			expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(
				200,
			);
		child.kill("SIGKILL");
	}, 20_000);

	test("--log-requests logs each request, and never a key from any part of it", async () => {
		const { url, kill, finished } = await service(["--log-requests"], {
			PETSTORE_API_KEY: known,
		});
		const { stdout } = await run(["keys", "create", "--name", "x"], {
			cwd: folder.path,
		});
		const key = stdout.trim();
		const listed = await fetch(`${url}/v1/pets?key=${key}`, authorized);
		for (const path of [`/v1/pets/${key}`, `/${known}`, "/v1/pets"])
			await fetch(url + path, {
				method: "DELETE",
				headers: { Authorization: `Bearer ${key}`, "X-Key": key },
			});
		kill("SIGTERM");
		const { stderr } = await finished;
		const requests = stderr
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line))
			.filter(({ msg }) => msg === "request");
		expect(requests).toHaveLength(4);
		expect(requests[0]).toEqual({
			level: "info",
			time: expect.any(String),
			requestId: listed.headers.get("X-Request-Id"),
			method: "GET",
			route: "/v1/pets",
			status: 200,
			ms: expect.any(Number),
			keyId: "PETSTORE_API_KEY",
			client: "127.0.0.1",
			msg: "request",
		});
		expect(stderr).not.toContain(key);
		expect(stderr).not.toContain(key.slice(0, 8));
		expect(stderr).not.toContain(known);
	});
});

/** Starts an add, whose body is complete only after `finish`. */
function startSlowAdd(url: string): {
	begun: Promise<void>;
	finish: () => void;
	reply: Promise<string>;
} {
	const { hostname, port } = new URL(url);
	const body = '{"name":"Rex","categoryId":1}';
	const socket = createConnection(Number(port), hostname);
	const begun = Promise.withResolvers<void>();
	const reply = Promise.withResolvers<string>();
	socket
		.on("data", (data) => reply.resolve(data.toString()))
		.on("error", () => reply.resolve(""))
		.on("close", () => reply.resolve(""))
		.write(
			`POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${known}\r\n` +
				`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
			() => setTimeout(begun.resolve, 100),
		);
	return {
		begun: begun.promise,
		finish: () => socket.write(body.slice(5)),
		reply: reply.promise,
	};
}

/** The port that the process listens on. It comes from /proc, since the log cannot be read. */
function listeningPort(pid: number): number | undefined {
	const inodes = new Set(
		readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
			try {
				return readlinkSync(`/proc/${pid}/fd/${fd}`).match(/\d+/g) ?? [];
			} catch {
				return [];
			}
		}),
	);
	for (const line of readFileSync("/proc/net/tcp", "utf8").split("\n")) {
		const [, local = "", , state, , , , , , inode = ""] = line
			.trim()
			.split(/\s+/);
		if (state === "0A" && inodes.has(inode))
			return Number.parseInt(local.split(":")[1] ?? "", 16);
	}
	return undefined;
}
