// `serve --workers`: the start of several workers, their deaths, their log, signals and the end of all.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
	petstore,
	type Running,
	root,
	run,
	serve,
	start,
	waitFor,
} from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import {
	serveWorkers,
	strikeWorker,
	toLog,
	toPids,
	untilGone,
	untilReplaced,
	type Workers,
} from "../../harness/workers.ts";
import { serveOptions } from "../../src/cli/options.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const service = (args: readonly string[] = []) =>
	serveWorkers(2, args, { cwd: folder.path });

describe("start", () => {
	test("says once that it listens, when all workers do", async () => {
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

	test("shows one first key, which every worker lets in", async () => {
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

	test("auto is the number of cores that the process may use", () => {
		const option = serveOptions.find(({ long }) => long === "--workers");
		expect(option?.parseArg?.("auto", 1)).toBe(availableParallelism());
	});

	test.each(["0", "-1", "1.5", "1000", "all", ""])(
		"%j is no number of workers",
		async (workers) => {
			const { status, stderr } = await run(["serve", `--workers=${workers}`], {
				cwd: folder.path,
			});
			expect([status, stderr]).toEqual([2, expect.stringContaining("or auto")]);
		},
	);
});

describe("a start that fails says why, with status 1, and leaves no process", () => {
	const workersAt = (port: string) =>
		run(["serve", "--workers", "2", "--port", port], { cwd: folder.path });

	test.each([["1"], ["2"]])(
		"the port belongs to a service of %s already",
		async (others) => {
			const other = await serve(["--workers", others], { cwd: folder.path });
			const { port } = new URL(other.url);
			const { status, stderr } = await workersAt(port);
			expect(status).toBe(1);
			expect(stderr).toMatch(/^petstore: Cannot listen on .*--port\.\n$/);
			expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
		},
	);

	test("a process of its own takes the port of a service with workers neither", async () => {
		const { url } = await service();
		const { port } = new URL(url);
		const options = { cwd: folder.path };
		const { status, stderr } = await run(["serve", "--port", port], options);
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: Cannot listen on .*--port\.\n$/);
	});

	test("the database is in memory", async () => {
		const { status, stderr } = await run(
			["serve", "--workers", "2", "--database", "sqlite::memory:"],
			{ cwd: folder.path },
		);
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: A database in memory .*\.\n$/);
	});

	test("the system cannot share a port", async () => {
		const { status, stderr } = await startWith(
			'Object.defineProperty(process, "platform", { value: "darwin" });',
		).finished;
		expect(status).toBe(1);
		expect(stderr).toMatch(/^petstore: Only on Linux .*\.\n$/);
	});

	test("a worker cannot listen", async () => {
		// As if another had taken the port a moment before.
		const { status, stdout, stderr } = await startWith(
			`const [, port] = (process.env.PETSTORE_WORKER ?? "").split(":");
			if (port) try { Bun.serve({ port, hostname: "127.0.0.1", fetch: () => new Response() }); } catch {}`,
		).finished;
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toMatch(/^petstore: Cannot listen on .*--port\.$/m);
		expect(stderr).toMatch(/^petstore: Worker \d cannot start\.$/m);
	});
});

describe("a worker that ends", () => {
	test("by SIGTERM has stopped cleanly, and there is another soon", async () => {
		const { log, pids, strike, call } = await service();
		const [, second] = pids();
		const first = strike(1, "SIGTERM");
		await untilReplaced(pids, 1, first);
		expect(pids()).toEqual([expect.any(Number), second]);
		expect(log().slice(3)).toEqual([
			expect.objectContaining({ worker: 1, msg: "stopped" }),
			expect.objectContaining({
				...{ level: "warn", worker: 1, pid: first, msg: "worker ended" },
				...{ status: 0, signal: null },
			}),
			expect.objectContaining({ worker: 1, msg: "worker listening" }),
		]);
		expect((await call("/readyz")).status).toBe(200);
	});

	test("is not ready while it drains, and the others are", async () => {
		const { strike, call } = await service(["--drain", "2"]);
		strike(1, "SIGTERM");
		await Bun.sleep(200);
		const replies = await Promise.all(
			Array.from({ length: 24 }, () => call("/readyz")),
		);
		expect(new Set(replies.map(({ status }) => status))).toEqual(
			new Set([200, 503]),
		);
	});

	test("makes no new database when somebody has removed it", async () => {
		const { output, strike } = await service();
		rmSync(join(folder.path, "data"), { recursive: true });
		strike(1, "SIGKILL");
		await waitFor(
			() =>
				output().stderr.match(/^petstore: There is no database/m) ?? undefined,
			() => output().stderr,
		);
		expect(existsSync(join(folder.path, "data"))).toBe(false);
	});

	test("and what it says of it leave a log in a file as it was", async () => {
		const log = join(folder.path, "log");
		writeFileSync(log, "");
		const { kill, finished } = start(
			["sh", "-c", `exec ${petstore} serve --workers 2 --port 0 2> ${log}`],
			{ cwd: folder.path },
		);
		const lines = () => readFileSync(log, "utf8").split("\n");
		await waitFor(
			() => lines().find((line) => line.includes('"listening"')),
			() => "the service does not listen",
		);
		const before = lines();
		rmSync(join(folder.path, "data"), { recursive: true });
		strikeWorker(toLog(readFileSync(log, "utf8")), 1, "SIGKILL");
		await waitFor(
			() => lines().find((line) => line.startsWith("petstore: There is no")),
			() => `nothing is said: ${lines().join("\n")}`,
		);
		expect(lines().slice(0, before.length - 1)).toEqual(before.slice(0, -1));
		kill("SIGTERM");
		await finished;
	});

	test("again and again is started less and less often, while the others serve", async () => {
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
		const deaths = () => log().filter(({ msg }) => msg === "worker ended");
		writeFileSync(broken, "");
		const killed = strikeWorker(log(), 2, "SIGKILL");
		await waitFor(
			() => (deaths().length >= 4 ? true : undefined),
			() => output().stderr,
		);
		expect((await fetch(`${url}/readyz`)).status).toBe(200);
		rmSync(broken);
		expect(deaths()).toMatchObject([
			{ worker: 2, status: null, signal: "SIGKILL", delayMs: 100 },
			{ worker: 2, status: 9, signal: null, delayMs: 200 },
			{ worker: 2, status: 9, delayMs: 400 },
			{ worker: 2, status: 9, delayMs: 800 },
		]);
		const times = deaths().map(({ time }) => Date.parse(String(time)));
		for (const [index, delayMs] of [100, 200, 400].entries())
			expect((times[index + 1] ?? 0) - (times[index] ?? 0)).toBeGreaterThan(
				delayMs - 5,
			);
		await untilReplaced(() => toPids(log()), 2, killed);
		kill("SIGTERM");
		expect((await finished).status).toBe(0);
	}, 10_000);
});

describe("stop", () => {
	const gone = async ({ pids, url }: Workers) => {
		await untilGone(pids());
		await expect(fetch(`${url}/healthz`)).rejects.toThrow();
	};

	/** The workers that said that they stopped, after they closed the database; 0 is the supervisor. */
	const stopped = ({ log }: Workers) =>
		log().flatMap(({ msg, worker = 0 }) => (msg === "stopped" ? worker : []));

	test.each(["SIGTERM", "SIGINT"] as const)(
		"%s ends all of them with status 0 and a closed database",
		async (signal) => {
			const workers = await service();
			workers.kill(signal);
			expect((await workers.finished).status).toBe(0);
			await gone(workers);
			expect(stopped(workers)).toEqual(expect.arrayContaining([0, 1, 2]));
			expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
		},
	);

	test("Ctrl-C, which a terminal sends to every one of them, ends them like one signal", async () => {
		const workers = await service(["--drain", "0.5"]);
		for (const pid of [workers.pid, ...workers.pids()])
			process.kill(pid, "SIGINT");
		expect((await workers.finished).status).toBe(0);
		await gone(workers);
		expect(workers.log().filter(({ level }) => level === "warn")).toEqual([]);
	});

	test("a second signal ends all of them at once", async () => {
		const workers = await service(["--drain", "5"]);
		workers.kill("SIGTERM");
		await Bun.sleep(400);
		const begun = performance.now();
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(128 + 15);
		await gone(workers);
		expect(performance.now() - begun).toBeLessThan(1_500);
	});

	test("a worker that hangs is killed when the others have stopped", async () => {
		const workers = await service();
		const [hung = 0] = workers.pids();
		process.kill(hung, "SIGSTOP");
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
		await gone(workers);
		expect(stopped(workers)).toEqual(expect.arrayContaining([0, 2]));
	}, 30_000);

	test("the supervisor killed, the workers stop by themselves, and soon", async () => {
		const workers = await service(["--drain", "30"]);
		workers.kill("SIGKILL");
		await workers.finished;
		await gone(workers);
		// Two that close the database at once may both leave its log to the next.
		expect(stopped(workers)).toEqual(expect.arrayContaining([1, 2]));
	});

	test("the supervisor killed while it starts them, they do not stay", async () => {
		const { pid, kill, finished } = start(
			[petstore, "serve", "--workers", "2", "--port", "0"],
			{ cwd: folder.path },
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
		await untilGone(workers);
	});
});

/** Starts two workers, after a script that each of the processes runs first. */
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
