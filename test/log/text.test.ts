// A log record as text: its columns, and the escapes that protect a terminal and other lines.
import { expect, test } from "bun:test";
import { type LogRecord, toText } from "../../src/log/text.ts";

const time = "2026-11-16T02:14:09.123Z";
const request = {
	time,
	level: "info",
	msg: "request",
	requestId: "an-id",
	method: "GET",
	route: "/v1/pets",
	path: "/v1/pets?limit=5",
	status: 200,
	ms: 3,
	keyId: 1,
	client: "127.0.0.1",
};

function plain(record: LogRecord): string {
	return toText(record, { date: false, colours: false });
}

test("shows a message with its time in UTC, its level and its fields", () => {
	const record = { time, level: "info", msg: "listening", url: "http://x" };
	const more = { database: "sqlite:my pets.db", count: 2, signal: null };
	expect(plain({ ...record, ...more })).toBe(
		'02:14:09Z info  listening http://x database="sqlite:my pets.db" count=2\n',
	);
});

test("shows a request with status, duration, method, path, error code, key, client and id", () => {
	expect(plain(request)).toBe(
		"02:14:09Z info  200    3ms GET     /v1/pets?limit=5 key=1 127.0.0.1 an-id\n",
	);
	const refused = { ...request, status: 404, code: "not_found", count: 2 };
	expect(plain({ ...refused, keyId: undefined })).toBe(
		"02:14:09Z info  404    3ms GET     /v1/pets?limit=5 not_found 127.0.0.1 an-id count=2\n",
	);
});

test("shows the first part of a UUID with a request, and all of it with a failure", () => {
	const requestId = "3b241101-e2bb-4255-8caf-4136c566a962";
	const { status, ms, ...failed } = { ...request, requestId, msg: "Failed." };
	expect(plain({ ...request, requestId })).toEndWith(" 127.0.0.1 3b241101\n");
	expect(plain(failed)).toBe(
		`02:14:09Z info  Failed. GET /v1/pets?limit=5 key=1 127.0.0.1 ${requestId}\n`,
	);
});

test("adds a date and a colour if the style says so", () => {
	const record = { time, level: "warn", msg: "x" };
	expect(toText(record, { date: true, colours: true })).toBe(
		"2026-11-16T02:14:09Z \x1b[33mwarn \x1b[39m x\n",
	);
});

test("shows the stack trace and other fields of an error below its line, indented", () => {
	const stack =
		"Error: outer\n    at here\ncaused by: Error: inner\n    at there";
	const err = { type: "Error", message: "outer: inner", stack, code: "EIO" };
	expect(plain({ time, level: "error", msg: "x", err })).toBe(
		`02:14:09Z error x
    Error: outer
        at here
    caused by: Error: inner
        at there
    code=EIO
`,
	);
	expect(plain({ time, level: "error", msg: "x", err: "text" })).toBe(
		"02:14:09Z error x\n    err=text\n",
	);
});

test.each([
	["a new line", "\n02:14:09Z info  200 forged"],
	["a carriage return", "\r"],
	["an escape sequence", "\x1b[2J\x1b]0;title\x07"],
	["an 8-bit control sequence", "\u009b2J"],
	["a backspace", "\b\b\b"],
	["right-to-left text", "\u202e"],
	["a line separator", "\u2028"],
	["a lone surrogate", "\ud800"],
])("escapes %s in every field", (_what, text) => {
	const err = { stack: `Error: ${text}`, detail: text };
	for (const record of [
		{ ...request, path: text, requestId: text, client: text, other: text },
		{ time, level: "warn", msg: text, url: text, name: text, err },
	]) {
		const lines = plain(record).slice(0, -1).split("\n");
		for (const line of lines) expect(line).not.toMatch(/[\p{C}\p{Zl}]/u);
		expect(lines[0]).toMatch(/^02:14:09Z /);
		for (const line of lines.slice(1)) expect(line).toStartWith("    ");
		if (!("err" in record)) expect(lines).toHaveLength(1);
	}
});
