// `serve --workers`: the start, workers that end and are started again, the log, signals and the stop.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	existsSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { serveCommand } from "../../src/cli/commands/serve/config.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { open } from "../harness/clients.ts";
import {
	petstore,
	type Running,
	root,
	run,
	serve,
	start,
	waitFor,
} from "../harness/process.ts";
import { request } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import {
	serveWorkers,
	signalWorker,
	toLog,
	toPids,
	untilEnded,
	untilReplaced,
	type Workers,
} from "../harness/workers.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const service = () => serveWorkers(2, [], { cwd: folder.path });

const health = request("GET /healthz", []);

describe("start", () => {
	test("logs once that the service listens, when all workers listen", async () => {
		const { log, pids, pid, url, kill, finished } = await service();
		expect(log()).toEqual([
			expect.objectContaining({ msg: "worker listening" }),
			expect.objectContaining({ msg: "worker listening" }),
			expect.objectContaining({ msg: "listening", url, workers: 2 }),
		]);
		expect(new Set([pid, ...pids()]).size).toBe(3);
		kill("SIGTERM");
		await finished;
	});

	test("prints one first key, which every worker accepts", async () => {
		const { output, url } = await serve(["--workers", "2"], {
			cwd: folder.path,
		});
		const key = await waitFor(
			() => /^ {2}(pet_\w+)$/m.exec(output().stdout)?.[1],
			() => output().stdout,
		);
		expect(output().stdout.match(/Your first API key/g)).toHaveLength(1);
		for (let count = 0; count < 16; count++) {
			const headers = { Authorization: `Bearer ${key}` };
			const reply = await fetch(`${url}/v1/pets`, {
				headers,
				keepalive: false,
			});
			expect(reply.status).toBe(200);
		}
	});

	test("--workers auto means one worker for each core that the process may use", () => {
		const option = serveCommand.options.find(
			({ long }) => long === "--workers",
		);
		expect(option?.parseArg?.("auto", 1)).toBe(availableParallelism());
	});

	test.each(["0", "-1", "1.5", "1000", "all", ""])(
		"refuses --workers=%j",
		async (workers) => {
			const { status, stderr } = await run(["serve", `--workers=${workers}`], {
				cwd: folder.path,
			});
			expect([status, stderr]).toEqual([2, expect.stringContaining("or auto")]);
		},
	);
});

describe("a failed start prints the reason, ends with status 1 and leaves no process", () => {
	const workersAt = (port: string) =>
		run(["serve", "--workers", "2", "--port", port], { cwd: folder.path });

	test.each([["1"], ["2"]])(
		"refuses a port where a service with --workers %s listens",
		async (others) => {
			const other = await serve(["--workers", others], { cwd: folder.path });
			const { port } = new URL(other.url);
			const { status, stderr } = await workersAt(port);
			expect(status).toBe(1);
			expect(stderr).toMatch(
				/^petstore: Cannot listen on .*--port \(or --operator-address of serve\)\.\n$/,
			);
			expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
		},
	);

	test("refuses the port of a service with workers, also without workers", async () => {
		const { url } = await service();
		const { port } = new URL(url);
		const options = { cwd: folder.path };
		const { status, stderr } = await run(["serve", "--port", port], options);
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^petstore: Cannot listen on .*--port \(or --operator-address of serve\)\.\n$/,
		);
	});

	test("refuses a database in memory", async () => {
		const { status, stderr } = await run(
			["serve", "--workers", "2", "--database", "sqlite::memory:"],
			{ cwd: folder.path },
		);
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: An in-memory database .*\.\n$/);
	});

	test("refuses workers where processes cannot share a port", async () => {
		const { status, stderr } = await startWith(
			'Object.defineProperty(process, "platform", { value: "darwin" });',
		).finished;
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^petstore: Workers can share a port only on Linux.*\.\n$/,
		);
	});

	test("names a worker that cannot listen", async () => {
		// As if another process had taken the port a moment before.
		const { status, stdout, stderr } = await startWith(
			`const [, port] = (process.env.PETSTORE_WORKER ?? "").split(":");
			if (port) try { Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }); } catch {}`,
		).finished;
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(
			/^petstore: Cannot listen on .*--port \(or --operator-address of serve\)\.$/m,
		);
		expect(stderr).toMatch(/^petstore: Worker \d cannot start\.$/m);
	});
});

describe("when a worker ends", () => {
	test("stops a worker cleanly at SIGTERM, and starts it again", async () => {
		const { log, pids, signalWorker, call } = await service();
		const [, second] = pids();
		const first = signalWorker(1, "SIGTERM");
		await untilReplaced(pids, 1, first);
		expect(pids()).toEqual([expect.any(Number), second]);
		expect(log().slice(3)).toEqual([
			expect.objectContaining({ worker: 1, msg: "stopped" }),
			expect.objectContaining({
				level: "warn",
				worker: 1,
				pid: first,
				msg: "worker ended",
				status: 0,
				signal: null,
			}),
			expect.objectContaining({ worker: 1, msg: "worker listening" }),
		]);
		expect((await call("/readyz")).status).toBe(200);
	});

	test("answers 503 to /readyz in the worker that drains, and 200 in the others", async () => {
		const { signalWorker, call } = await serveWorkers(2, ["--drain", "10"], {
			cwd: folder.path,
		});
		signalWorker(1, "SIGTERM");
		await untilDraining(call);
		const replies = await Promise.all(
			Array.from({ length: 24 }, () => call("/readyz")),
		);
		expect(new Set(replies.map(({ status }) => status))).toEqual(
			new Set([200, 503]),
		);
	});

	test("starts no worker after the database was removed, and creates no new database", async () => {
		const { output, signalWorker } = await service();
		rmSync(join(folder.path, "data"), { recursive: true });
		signalWorker(1, "SIGKILL");
		await waitFor(
			() => output().stderr.match(/worker ended/) ?? undefined,
			() => output().stderr,
		);
		await Bun.sleep(500);
		expect(output().stderr.match(/worker listening/g)).toHaveLength(2);
		expect(existsSync(join(folder.path, "data"))).toBe(false);
	});

	test("keeps the earlier lines of a log file when the next worker writes to it", async () => {
		const log = join(folder.path, "log");
		writeFileSync(log, "");
		const { certificate, key } = makeCertificate(folder.path, "own");
		const flags = `--workers 2 --port 0 --tls-cert ${certificate} --tls-key ${key}`;
		const { kill, finished } = start(
			["sh", "-c", `exec ${petstore} serve ${flags} 2> ${log}`],
			{ cwd: folder.path },
		);
		const lines = () => readFileSync(log, "utf8").split("\n");
		await waitFor(
			() => lines().find((line) => line.includes('"listening"')),
			() => "the service does not listen",
		);
		const before = lines();
		rmSync(certificate);
		signalWorker(toLog(readFileSync(log, "utf8")), 1, "SIGKILL");
		await waitFor(
			() => lines().find((line) => line.startsWith("petstore: The TLS")),
			() => `there is no message: ${lines().join("\n")}`,
		);
		expect(lines().slice(0, before.length - 1)).toEqual(before.slice(0, -1));
		kill("SIGTERM");
		await finished;
	});

	test("starts a worker that ends repeatedly with growing delays, while the others serve", async () => {
		const broken = join(folder.path, "broken");
		const { output, kill, finished } = startWith(
			`import { existsSync } from "node:fs";
			if (process.env.PETSTORE_WORKER?.startsWith("2:") && existsSync("${broken}")) process.exit(9);`,
		);
		const log = () => toLog(output().stderr);
		const { url } = await waitFor(
			() => log().find(({ msg }) => msg === "listening"),
			() => output().stderr,
		);
		const ends = () => log().filter(({ msg }) => msg === "worker ended");
		writeFileSync(broken, "");
		const killed = signalWorker(log(), 2, "SIGKILL");
		await waitFor(
			() => (ends().length >= 4 ? true : undefined),
			() => output().stderr,
		);
		expect((await fetch(`${url}/readyz`)).status).toBe(200);
		rmSync(broken);
		expect(ends()).toMatchObject([
			{ worker: 2, status: null, signal: "SIGKILL", delayMs: 100 },
			{ worker: 2, status: 9, signal: null, delayMs: 200 },
			{ worker: 2, status: 9, delayMs: 400 },
			{ worker: 2, status: 9, delayMs: 800 },
		]);
		const times = ends().map(({ time }) => Date.parse(String(time)));
		for (const [index, delayMs] of [100, 200, 400].entries())
			expect((times[index + 1] ?? 0) - (times[index] ?? 0)).toBeGreaterThan(
				delayMs - 5,
			);
		await untilReplaced(() => toPids(log()), 2, killed);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	}, 10_000);

	test("starts one process for it, also if SIGUSR2 starts one while it waits for the database", async () => {
		const held = join(folder.path, "held");
		const { pid, output, kill, finished } = startWith(
			`import { existsSync } from "node:fs";
			while (process.env.PETSTORE_WORKER && existsSync("${held}")) await Bun.sleep(10);`,
		);
		const log = () => toLog(output().stderr);
		const until = (message: string) =>
			waitFor(
				() => log().find(({ msg }) => msg === message),
				() => output().stderr,
			);
		await waitFor(
			() => /Your first API key/.exec(output().stdout) ?? undefined,
			() => output().stderr,
		);
		const data = join(folder.path, "data");
		renameSync(data, `${data}-away`);
		signalWorker(log(), 1, "SIGKILL");
		await until("worker ended");
		await Bun.sleep(500);
		renameSync(`${data}-away`, data);
		writeFileSync(held, "");
		kill("SIGUSR2");
		// Longer than the supervisor waits before it looks for the database again.
		await Bun.sleep(6_000);
		expect(childrenOf(pid)).toHaveLength(2);
		rmSync(held);
		await until("the workers were restarted");
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	}, 30_000);
});

describe("stop", () => {
	const service = (
		args: readonly string[] = [],
		cwd = temporaryFolder().path,
	) => serveWorkers(2, args, { cwd });

	const expectEnded = async ({ pids, url }: Workers) => {
		await untilEnded(pids());
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	};

	/** The workers that logged `stopped`, which they do after they have closed the database. 0 is the supervisor. */
	const stopped = ({ log }: Workers) =>
		log().flatMap(({ msg, worker = 0 }) => (msg === "stopped" ? worker : []));

	test.each(["SIGTERM", "SIGINT"] as const)(
		"%s stops all processes with status 0 and closes the database",
		async (signal) => {
			const cwd = temporaryFolder().path;
			const workers = await service([], cwd);
			workers.kill(signal);
			expect((await workers.finished).status).toBe(0);
			await expectEnded(workers);
			expect(stopped(workers)).toEqual(expect.arrayContaining([0, 1, 2]));
			expect(readdirSync(join(cwd, "data"))).toEqual(["petstore.db"]);
		},
	);

	test("stops once at Ctrl-C, which a terminal sends to every process", async () => {
		const workers = await service(["--drain", "0.5"]);
		for (const pid of [workers.pid, ...workers.pids()])
			process.kill(pid, "SIGINT");
		expect((await workers.finished).status).toBe(0);
		await expectEnded(workers);
		expect(workers.log().filter(({ level }) => level === "warn")).toEqual([]);
	});

	test("ends all processes immediately at a second signal", async () => {
		const workers = await service(["--drain", "10"]);
		workers.kill("SIGTERM");
		await untilDraining(workers.call);
		// A second signal directly after the first is the same Ctrl-C.
		await Bun.sleep(400);
		const begun = performance.now();
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(128 + 15);
		await expectEnded(workers);
		expect(performance.now() - begun).toBeLessThan(5_000);
	});

	test("answers connections that it accepted while the workers drained", async () => {
		const workers = await service(["--drain", "0.3"]);
		const failures: unknown[] = [];
		const clients = Array.from({ length: 4 }, async () => {
			for (;;) {
				const connection = await open(workers.url).catch(() => undefined);
				// Refused, because the workers have stopped.
				if (connection === undefined) return;
				await connection.send(health).catch((error) => failures.push(error));
				connection.close();
				// Each connection takes a port of the machine for a minute.
				await Bun.sleep(5);
			}
		});
		workers.kill("SIGTERM");
		await Promise.all(clients);
		await workers.finished;
		expect(failures).toEqual([]);
	});

	test("kills a hanging worker after the others have stopped", async () => {
		const workers = await service();
		const [hung = 0] = workers.pids();
		process.kill(hung, "SIGSTOP");
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
		await expectEnded(workers);
		expect(stopped(workers)).toEqual(expect.arrayContaining([0, 2]));
	}, 30_000);

	test("stops the workers without draining if the supervisor is killed", async () => {
		const workers = await service(["--drain", "30"]);
		workers.kill("SIGKILL");
		await workers.finished;
		await expectEnded(workers);
		// The files are not checked: two workers that close the database at the same time may both leave its WAL.
		expect(stopped(workers)).toEqual(expect.arrayContaining([1, 2]));
	});

	test("ends the workers too if the supervisor is killed while they start", async () => {
		const { pid, kill, finished } = start(
			[petstore, "serve", "--workers", "2", "--port", "0"],
			{ cwd: temporaryFolder().path },
		);
		const workers = await waitFor(
			() => {
				const children = childrenOf(pid);
				return children.length === 2 ? children : undefined;
			},
			() => "no workers were started",
		);
		kill("SIGKILL");
		await finished;
		await untilEnded(workers);
	});
});

/** Starts a service with two workers. Each of its processes runs the script first. */
function startWith(script: string): Running {
	const preload = join(folder.path, "preload.ts");
	writeFileSync(preload, script);
	const main = join(root, "src/cli/main.ts");
	const command = ["serve", "--workers", "2", "--port", "0"];
	return start([process.execPath, "--preload", preload, main, ...command], {
		cwd: folder.path,
	});
}

function childrenOf(pid: number): number[] {
	const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
	return children.split(" ").filter(Boolean).map(Number);
}

/** Waits until a worker drains. */
async function untilDraining(call: Workers["call"]): Promise<void> {
	while ((await call("/readyz")).status !== 503) await Bun.sleep(5);
}
