// SIGHUP, SIGUSR1 and SIGUSR2 to `petstore serve`, from the first moment on. test/http/tls.slow.test.ts has SIGHUP with a certificate, and
// test/cli/restart.slow.test.ts SIGUSR2 with workers.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { petstore, serve, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { toLog, toPids, untilEnded } from "../harness/workers.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const env = { PETSTORE_API_KEY: "a-key-known-to-the-tests" };

describe("without a terminal", () => {
	test.each([
		["SIGHUP", [/^SIGHUP ignored: the service has no TLS certificate/]],
		["SIGUSR1", []],
		["SIGUSR2", [/^SIGUSR2 ignored: it restarts workers.*--workers$/]],
	] as const)("keeps serving after %s", async (signal, messages) => {
		const service = await serve([], { cwd: folder.path, env });
		service.kill(signal);
		await Bun.sleep(200);
		expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
		service.kill("SIGTERM");
		const { status, stderr } = await service.finished;
		expect(status).toBe(0);
		const between = toLog(stderr).slice(1, -2);
		expect(between.map(({ msg }) => msg)).toEqual(
			messages.map((message) => expect.stringMatching(message)),
		);
	});

	test("goes on starting when SIGHUP, SIGUSR1 and SIGUSR2 arrive", async () => {
		const service = start([petstore, "serve", "--port", "0"], {
			cwd: folder.path,
			env,
		});
		const hasStarted = () => service.output().stderr.includes('"listening"');
		await waitFor(
			() => {
				if (isProgram(service.pid))
					for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"] as const)
						service.kill(signal);
				return hasStarted() ? true : undefined;
			},
			() => service.output().stderr,
		);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});

	test("ignores SIGHUP, SIGUSR1 and SIGUSR2 to a worker itself", async () => {
		const service = await serve(["--workers", "2"], { cwd: folder.path, env });
		const log = () => toLog(service.output().stderr);
		const [worker = 0] = toPids(log());
		for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"])
			process.kill(worker, signal);
		await Bun.sleep(300);
		expect(log()).toHaveLength(3);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});
});

describe("from a terminal", () => {
	/** The log goes to a file, since a terminal that is closed cannot be read. */
	function startInTerminal(args: string) {
		const child = Bun.spawn(
			["sh", "-c", `exec ${petstore} serve --port 0 ${args} 2> log`],
			{
				cwd: folder.path,
				env: { PATH: process.env.PATH, ...env },
				// Not a Terminal that exists already, since that would not be the controlling terminal of the service.
				terminal: {},
			},
		);
		const path = join(folder.path, "log");
		const log = () =>
			existsSync(path) ? toLog(readFileSync(path, "utf8")) : [];
		const untilListening = waitFor(
			() => log().find(({ msg }) => msg === "listening"),
			() => "it does not listen",
		);
		const closeTerminal = () => child.terminal?.close();
		return { closeTerminal, child, log, untilListening };
	}

	test("stops at SIGHUP as at SIGTERM", async () => {
		const { closeTerminal, child, log, untilListening } = startInTerminal("");
		await untilListening;
		child.kill("SIGHUP");
		expect(await child.exited).toBe(0);
		closeTerminal();
		expect(log()).toMatchObject([
			{ msg: "listening" },
			{ msg: "stopping", signal: "SIGHUP" },
			{ msg: "stopped" },
		]);
		expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
	});

	test.each(["1", "2"])(
		"stops and closes the database when its terminal is closed, with --workers %s",
		async (workers) => {
			const { closeTerminal, child, log, untilListening } = startInTerminal(
				`--workers ${workers}`,
			);
			await untilListening;
			closeTerminal();
			expect(await child.exited).toBe(0);
			await untilEnded(toPids(log()));
			expect(log().filter(({ level }) => level !== "info")).toEqual([]);
			expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
		},
	);
});

/** Whether the shell of bin/petstore, which ignores the signals for it, has started the program. */
function isProgram(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("cli/main.");
	} catch {
		return false;
	}
}
