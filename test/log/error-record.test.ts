// Errors in the log.
import { expect, test } from "bun:test";
import type { LogRecord } from "../../src/log/text.ts";
import { logTo } from "../harness/log.ts";

function errorOf(err: unknown): unknown {
	const lines: LogRecord[] = [];
	logTo((line) => lines.push(line)).error({ err }, "failed");
	expect(lines).toMatchObject([{ level: "error", msg: "failed" }]);
	return lines[0]?.err;
}

test("logs an error with its class, its message, its stack trace and its simple members", () => {
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

test("logs the causes of an error after it", () => {
	const inner = new RangeError("inner");
	const outer = new Error("outer", { cause: inner });
	expect(errorOf(outer)).toMatchObject({
		message: "outer: inner",
		stack: expect.stringMatching(
			/^Error: outer\n(?:.|\n)*\ncaused by: RangeError: inner\n/,
		),
	});
});

test("logs the message of an error without a stack trace", () => {
	const error = Object.assign(new Error("no file"), { stack: "" });
	expect(errorOf(error)).toMatchObject({ stack: "no file" });
});

test("logs errors that are each other's cause only once", () => {
	const one = new Error("one");
	one.cause = new Error("two", { cause: one });
	expect(errorOf(one)).toMatchObject({ message: "one: two" });
});

test("logs any other thrown value as text", () => {
	expect(errorOf("a text")).toBe("a text");
	expect(errorOf(Symbol("a symbol"))).toBe("Symbol(a symbol)");
	expect(errorOf(null)).toBe("null");
});
