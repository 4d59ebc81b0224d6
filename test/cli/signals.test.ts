// SIGHUP to `petstore serve`, which a terminal sends when it closes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toLog } from "../harness/log.ts";
import { petstore, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

const env = { PETSTORE_API_KEY: "a-key-known-to-the-tests" };

describe("in a terminal", () => {
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
