// The lines of the log: errors as data, and text with the escapes that protect a terminal and other lines.
import { describe, expect, test } from "bun:test";
import { createLog, type LogRecord } from "../../src/log/log.ts";
import { logTo } from "../harness/log.ts";

describe("an error in a JSON line", () => {
	function errorOf(err: unknown): unknown {
		const lines: LogRecord[] = [];
		logTo((line) => lines.push(line)).error({ err }, "failed");
		expect(lines).toMatchObject([{ level: "error", msg: "failed" }]);
		return lines[0]?.err;
	}

	test("has its class, its message, its stack trace and its simple members", () => {
		const members = { code: "EIO", errno: -5, isFatal: true };
		const others = { socket: { port: 1 }, id: 5n, retry() {} };
		const error = Object.assign(new TypeError("no disk"), members, others);
		expect(errorOf(error)).toEqual({
			type: "TypeError",
			message: "no disk",
			...members,
			stack: expect.stringMatching(/^TypeError: no disk\n +at /),
		});
	});

	test("has its causes after it, each once", () => {
		const inner = new RangeError("inner");
		const outer = new Error("outer", { cause: inner });
		inner.cause = outer;
		expect(errorOf(outer)).toMatchObject({
			message: "outer: inner",
			stack: expect.stringMatching(
				/^Error: outer\n(?:.|\n)*\ncaused by: RangeError: inner\n/,
			),
		});
	});

	test("has its message if it has no stack trace", () => {
		const error = Object.assign(new Error("no file"), { stack: "" });
		expect(errorOf(error)).toMatchObject({ stack: "no file" });
	});

	test("is text if it is any other thrown value", () => {
		expect(errorOf("a text")).toBe("a text");
		expect(errorOf(Symbol("a symbol"))).toBe("Symbol(a symbol)");
		expect(errorOf(null)).toBe("null");
	});
});

describe("text", () => {
	/** The text of a line on a terminal, with its time replaced. */
	function toText(fields: LogRecord, msg: string, colours = false): string {
		let text = "";
		const write = (line: string) => {
			text += line.replace(/^\d\d:\d\d:\d\dZ /, "TIME ");
		};
		createLog({ colours }, { isTerminal: true, write }).warn(fields, msg);
		return text;
	}

	test("shows the level, the message and the fields, with a colour if asked", () => {
		const fields = { url: "http://x", database: "sqlite:my pets.db", n: null };
		expect(toText(fields, "listening")).toBe(
			'TIME warn  listening url=http://x database="sqlite:my pets.db"\n',
		);
		expect(toText({}, "x", true)).toBe("TIME \x1b[33mwarn \x1b[39m x\n");
	});

	test("shows a request with status, duration, method, route, code and key", () => {
		const request = {
			requestId: "an-id",
			method: "GET",
			route: "/v1/pets",
			status: 404,
			code: "not_found",
			ms: 3,
			keyId: 1,
			client: "127.0.0.1",
			count: 2,
		};
		expect(toText(request, "request")).toBe(
			"TIME warn  404    3ms GET     /v1/pets not_found key=1 count=2\n",
		);
	});

	test("shows the stack trace and other members of an error below its line, indented", () => {
		const stack = "Error: outer\n    at here";
		const err = Object.assign(new Error("outer"), { stack, code: "EIO" });
		expect(toText({ err }, "x")).toBe(
			"TIME warn  x\n    Error: outer\n        at here\n    code=EIO\n",
		);
		expect(toText({ err: "text" }, "x")).toBe("TIME warn  x\n    text\n");
	});

	test.each([
		["a new line", "\n02:14:09Z info  200 forged"],
		["an escape sequence", "\x1b[2J\x1b]0;title\x07"],
		["an 8-bit control sequence", "\u009b2J"],
		["right-to-left text", "\u202e"],
		["a line separator", "\u2028"],
		["a lone surrogate", "\ud800"],
	])("escapes %s in every field", (_what, text) => {
		const err = Object.assign(new Error(text), { detail: text });
		for (const fields of [
			{ method: text, route: text, status: 200, ms: 1, other: text },
			{ name: text, err },
		]) {
			const [first, ...others] = toText(fields, text).slice(0, -1).split("\n");
			for (const line of [first, ...others])
				expect(line).not.toMatch(/[\p{C}\p{Zl}]/u);
			expect(first).toStartWith("TIME ");
			for (const line of others) expect(line).toStartWith("    ");
			if (!("err" in fields)) expect(others).toEqual([]);
		}
	});
});
