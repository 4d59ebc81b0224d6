// Log lines on real pipes and files: each line is whole, cut and marked, or dropped.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
	closeSync,
	constants,
	openSync,
	readFileSync,
	readSync,
} from "node:fs";
import { createLog } from "../../src/log/log.ts";
import { toOutput } from "../../src/log/output.ts";
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

	test.each([
		"a stack of 20,000 characters",
		"a name of 20,000 characters that take 3 bytes each",
	])("cuts a line with %s to valid JSON", (what) => {
		const long = (what.includes("name") ? "鼠" : "x").repeat(20_000);
		createLog({}, toOutput(writer)).error({ err: new Error(long) }, "failed");
		const text = takeAll();
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
		expect(JSON.parse(text)).toMatchObject({
			time: expect.stringMatching(/^\d{4}-.*Z$/),
			err: { message: expect.stringMatching(/^(x|鼠)+$/) },
			msg: "failed",
			cut: true,
		});
	});

	test("cuts a line of text in the same way", () => {
		const log = createLog({ format: "text" }, toOutput(writer));
		log.error({ err: new Error("x".repeat(20_000)) }, "failed");
		const text = takeAll();
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
		expect(text).toMatch(/^\S+Z error failed cut=true\n {4}Error: x+\n$/);
	});

	test("cuts a line of 4,097 bytes, and not one of 4,096", () => {
		const log = createLog({}, toOutput(writer));
		log.info("");
		const room = 4_096 - takeAll().length;
		for (const [length, isCut] of [
			[room, false],
			[room + 1, true],
		] as const) {
			log.info("x".repeat(length));
			expect("cut" in JSON.parse(takeAll())).toBe(isCut);
		}
	});

	test("drops a line that is too long even with short strings", () => {
		const log = createLog({}, toOutput(writer));
		log.info({ numbers: Array.from({ length: 5_000 }, () => 1) }, "many");
		log.info("next");
		expect(takeAll()).toMatch(/^\{[^\n]*"msg":"next"\}\n$/);
	});

	test("writes each line whole or drops it while the pipe is full or nearly full", () => {
		const log = createLog({}, toOutput(writer));
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
		expect(lines.length).toBeGreaterThan(100);
		expect(lines.length).toBeLessThan(logged);
		expect(lines.at(-1)).toContain('"msg":"last"');
	});

	test.each(["/proc/self/fd/2", "/no-such-file"])(
		"lets a process that opens its stderr again as %s write without a reader",
		async (second) => {
			const blocking = openSync(`${folder.path}/pipe`, constants.O_RDWR);
			const program = `import { openStderr } from "${root}src/log/output.ts";
				const { write } = openStderr("${second}");
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
		const { write } = toOutput(writer);
		const long = `${"x".repeat(100_000)}\n`;
		write(long);
		write("dropped\n");
		const first = takeAll();
		expect(first.length).toBeLessThan(long.length);
		write("next\n");
		expect(first + takeAll()).toBe(`${long}next\n`);
	});
});

test("does not cut a line in a file", () => {
	const path = `${folder.path}/log`;
	const fd = openSync(path, "a");
	createLog({}, toOutput(fd)).info("x".repeat(100_000));
	closeSync(fd);
	expect(JSON.parse(readFileSync(path, "utf8")).msg).toHaveLength(100_000);
});

test("takes an unknown descriptor for a pipe", () => {
	const { isTerminal, maxLineBytes, write } = toOutput(9_999);
	expect([isTerminal, maxLineBytes]).toEqual([false, 4_096]);
	write("dropped\n");
});
