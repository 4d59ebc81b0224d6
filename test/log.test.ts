// The lines of the log: errors, text that protects a terminal and other lines, repeated failures, and pipes that nobody reads.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import {
	lockTaken,
	overloaded,
	storeUnavailable,
	storeWroteNothing,
} from "../src/domain/errors.ts";
import {
	createFailureLog,
	createLog,
	type LogRecord,
	openOutput,
} from "../src/log.ts";
import { usePlace } from "./cli/place.ts";
import { logTo } from "./harness/log.ts";
import { root, waitFor } from "./harness/process.ts";

test("logs an error with the traces of its causes, but no other members, which may have values of callers", () => {
	const lines: LogRecord[] = [];
	const log = logTo((line) => lines.push(line));
	const inner = Object.assign(new RangeError("inner"), { detail: "secret" });
	const outer = new Error("outer", { cause: inner });
	log.error("failed", { err: outer });
	expect(lines[0]?.err).toMatch(
		/^Error: outer\n.*\ncaused by: RangeError: inner\n/s,
	);
	expect(JSON.stringify(lines)).not.toContain("secret");
	inner.cause = outer;
	for (const err of [outer, "a text", Symbol("a symbol"), null])
		log.error("failed", { err });
	expect(lines.slice(2)).toMatchObject([
		...[{ err: "a text" }, { err: "Symbol(a symbol)" }, { err: "null" }],
	]);
});

describe("text", () => {
	/** The text of a line on a terminal, with its time replaced. */
	function toText(fields: LogRecord, msg: string): string {
		let text = "";
		const write = (line: string) => {
			text += line.replace(/^\d\d:\d\d:\d\dZ /, "TIME ");
		};
		createLog({ isTerminal: true, write }).warn(msg, fields);
		return text;
	}

	test("shows the level, the message and the fields, and a trace below, indented", () => {
		const fields = { url: "http://x", database: "sqlite:my pets.db", n: null };
		const err = Object.assign(new Error(), { stack: "Error: x\n  at here" });
		expect(toText({ ...fields, err }, "listening")).toBe(
			'TIME warn  listening url=http://x database="sqlite:my pets.db"\n    Error: x\n      at here\n',
		);
	});

	test("escapes what could forge a line or control a terminal, in every field", () => {
		for (const text of [
			...["\n02:14:09Z info  200 forged", "\x1b[2J\x1b]0;title\x07"],
			...["\u009b2J", "\u202e", "\u2028", "\ud800"],
		])
			for (const fields of [
				{ method: text, route: text, status: 200, ms: 1, other: text },
				{ name: text, err: new Error(text) },
			]) {
				const lines = toText(fields, text).slice(0, -1).split("\n");
				for (const line of lines) expect(line).not.toMatch(/[\p{C}\p{Zl}]/u);
				const [first, ...others] = lines;
				expect(first).toStartWith("TIME ");
				for (const line of others) expect(line).toStartWith("    ");
				if (!("err" in fields)) expect(others).toEqual([]);
			}
	});
});

describe("failures", () => {
	function open(intervalMs?: number) {
		const lines: LogRecord[] = [];
		const log = logTo((record) => lines.push(record));
		return { lines, ...createFailureLog(log, intervalMs) };
	}

	test("of the database: the first, then their number, and again after a pause", async () => {
		const { lines, reportFailure, reportWork } = open(100);
		const msg = "the database cannot be used";
		const gone = storeUnavailable(new Error("gone"));
		for (const route of ["/first", "/next", "/last"])
			reportFailure(gone, { route });
		await waitFor(
			() => lines.length >= 2,
			() => JSON.stringify(lines),
		);
		await Bun.sleep(250);
		reportWork(gone, "not cleaned up");
		expect(lines).toMatchObject([
			{ level: "error", msg, reason: "gone", route: "/first" },
			{ level: "error", msg, count: 2 },
			{ level: "error", msg, reason: "gone", failed: "not cleaned up" },
		]);
		for (const busy of [storeWroteNothing(lockTaken), overloaded]) {
			reportWork(busy, "not cleaned up");
			expect(lines.at(-1)).toMatchObject({
				level: "warn",
				msg: busy.message,
				failed: "not cleaned up",
			});
		}
	});

	test("of other kinds: each counted by itself, work on a line of its own", async () => {
		const { lines, report, reportWork } = open(50);
		for (const kind of ["a", "b", "a", "a"]) report("warn", kind, {});
		reportWork(new Error("a mistake"), "not cleaned up");
		await Bun.sleep(300);
		expect(lines).toMatchObject([
			{ level: "warn", msg: "a" },
			{ level: "warn", msg: "b" },
			{ msg: "not cleaned up", err: expect.stringContaining("a mistake") },
			{ level: "warn", msg: "a", count: 2 },
		]);
	});

	test("of the database after the stop are not logged: the stop causes some", () => {
		const { lines, reportWork, stop } = open();
		stop();
		reportWork(storeUnavailable(), "failed because of the stop");
		expect(lines).toEqual([]);
	});
});

describe("a pipe", () => {
	const place = usePlace();
	let reader: number;
	let writer: number;
	beforeEach(() => {
		const path = place.path("pipe");
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
		const log = createLog(openOutput(writer));
		let text = "";
		let logged = 0;
		for (let round = 0; round < 200; round++) {
			for (let count = 0; count < 20; count++, logged++)
				log.warn("z", { err: new Error("y".repeat((logged * 997) % 9_000)) });
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
			const blocking = openSync(place.path("pipe"), constants.O_RDWR);
			const program = `import { openOutput, openStderr } from "${root}src/log.ts";
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
});
