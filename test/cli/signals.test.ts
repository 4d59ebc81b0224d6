// SIGHUP to `petstore serve`, from the first moment on. test/http/tls.slow.test.ts has SIGHUP with a certificate.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toLog } from "../harness/log.ts";
import { petstore, serve, start, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const env = { PETSTORE_API_KEY: "a-key-known-to-the-tests" };

describe("without a terminal", () => {
	test("keeps serving after SIGHUP", async () => {
		const service = await serve([], { cwd: folder.path, env });
		service.kill("SIGHUP");
		await Bun.sleep(200);
		expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
		service.kill("SIGTERM");
		const { status, stderr } = await service.finished;
		expect(status).toBe(0);
		expect(stderr).toContain("SIGHUP ignored");
	});

	test("goes on starting when SIGHUP arrives", async () => {
		const service = start([petstore, "serve", "--port", "0"], {
			cwd: folder.path,
			env,
		});
		const hasStarted = () => service.output().stderr.includes('"listening"');
		await waitFor(
			() => {
				if (isProgram(service.pid)) service.kill("SIGHUP");
				return hasStarted() ? true : undefined;
			},
			() => service.output().stderr,
		);
		service.kill("SIGTERM");
		expect((await service.finished).status).toBe(0);
	});
});

describe("from a terminal", () => {
	/** The log goes to a file, since a terminal that is closed cannot be read. */
	function startInTerminal() {
		const child = Bun.spawn(
			["sh", "-c", `exec ${petstore} serve --port 0 2> log`],
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
		const { closeTerminal, child, log, untilListening } = startInTerminal();
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

	test("stops and closes the database when its terminal is closed", async () => {
		const { closeTerminal, child, log, untilListening } = startInTerminal();
		await untilListening;
		closeTerminal();
		expect(await child.exited).toBe(0);
		expect(log().filter(({ level }) => level !== "info")).toEqual([]);
		expect(readdirSync(join(folder.path, "data"))).toEqual(["petstore.db"]);
	});
});

/** Whether the shell of bin/petstore, which ignores the signals for it, has started the program. */
function isProgram(pid: number): boolean {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("cli/main.");
	} catch {
		return false;
	}
}
