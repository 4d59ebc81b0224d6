// Log lines on real pipes: each line is whole or dropped.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { createLog } from "../../src/log/log.ts";
import { openOutput } from "../../src/log/output.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
	folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe("a pipe", () => {
	let reader: number;
	let writer: number;
	beforeEach(() => {
		const path = `${folder.path}/pipe`;
		execFileSync("mkfifo", [path]);
		reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
		writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
	});
	afterEach(() => {
		closeSync(reader);
		closeSync(writer);
	});

	/** Reads up to this many bytes from the pipe. */
	function take(bytes: number): string {
		const buffer = Buffer.alloc(bytes);
		try {
			return buffer.toString("utf8", 0, readSync(reader, buffer));
		} catch {
			return "";
		}
	}

	function takeAll(): string {
		let text = "";
		for (let more = take(4_096); more !== ""; more = take(4_096)) text += more;
		return text;
	}

	test("writes each line whole or drops it while the pipe is full or nearly full", () => {
		const log = createLog({}, openOutput(writer));
		let text = "";
		let logged = 0;
		for (let round = 0; round < 200; round++) {
			for (let count = 0; count < 20; count++, logged++)
				log.warn({ err: new Error("y".repeat((logged * 997) % 9_000)) }, "z");
			text += take(3_001);
		}
		text += takeAll();
		log.info("last");
		text += takeAll();
		const lines = text.trimEnd().split("\n");
		for (const line of lines) JSON.parse(line);
		expect(lines.length).toBeGreaterThan(50);
		expect(lines.length).toBeLessThan(logged);
		expect(lines.at(-1)).toContain('"msg":"last"');
	});

	test.each(["/proc/self/fd/2", "/no-such-file"])(
		"lets a process that opens its stderr again as %s write without a reader",
		async (second) => {
			const blocking = openSync(`${folder.path}/pipe`, constants.O_RDWR);
			const program = `import { openOutput, openStderr } from "${root}src/log/output.ts";
				const { write } = openOutput(openStderr("${second}"));
				for (let line = 0; line < 50_000; line++) write(line + " is a line\\n");
				process.exit(7);`;
			const child = Bun.spawn([process.execPath, "-e", program], {
				stdio: ["ignore", "ignore", blocking],
				timeout: 10_000,
			});
			expect(await child.exited).toBe(7);
			closeSync(blocking);
			const lines = takeAll().trimEnd().split("\n");
			expect(lines[0]).toBe("0 is a line");
			for (const line of lines) expect(line).toMatch(/^\d+ is a line$/);
		},
	);

	test("writes the rest of a line before the next one if the system takes only a part", () => {
		const { write } = openOutput(writer);
		const long = `${"x".repeat(100_000)}\n`;
		write(long);
		write("dropped\n");
		const first = takeAll();
		expect(first.length).toBeLessThan(long.length);
		write("next\n");
		expect(first + takeAll()).toBe(`${long}next\n`);
	});
});
