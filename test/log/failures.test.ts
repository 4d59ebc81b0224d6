// What the log says about failures: the first of a kind, then a count.
import { expect, test } from "bun:test";
import { overloaded, storeUnavailable } from "../../src/domain/errors.ts";
import { createFailureLog } from "../../src/log/failures.ts";
import type { LogRecord } from "../../src/log/log.ts";
import { logTo } from "../harness/log.ts";
import { waitFor } from "../harness/process.ts";

function open(intervalMs?: number) {
	const lines: LogRecord[] = [];
	const log = logTo((record) => lines.push(record));
	return { lines, ...createFailureLog(log, intervalMs) };
}

test("logs the first failure of the database, then their number and the latest reason, and begins again after a pause", async () => {
	const { lines, reportStore, reportWork } = open(100);
	const msg = "the database cannot be used";
	const gone = storeUnavailable(new Error("gone"));
	const until = (count: number) =>
		waitFor(
			() => (lines.length >= count ? true : undefined),
			() => JSON.stringify(lines),
		);
	reportStore(gone, () => ({ path: "/first" }));
	for (const reason of ["still gone", "full"])
		reportStore(storeUnavailable(new Error(reason)), () => ({ path: "/next" }));
	await until(2);
	await Bun.sleep(250);
	reportWork(gone, "not cleaned up");
	expect(lines).toMatchObject([
		{ level: "error", msg, reason: "gone", path: "/first" },
		{ level: "error", msg, reason: "full", count: 2 },
		{ level: "error", msg, reason: "gone", failed: "not cleaned up" },
	]);
	expect(lines[1]).not.toHaveProperty("path");
});

test("counts each kind of failure by itself", async () => {
	const { lines, report } = open(50);
	for (const kind of ["a", "b", "a", "a"]) report("warn", kind, () => ({}));
	await Bun.sleep(300);
	expect(lines).toMatchObject([
		{ level: "warn", msg: "a" },
		{ level: "warn", msg: "b" },
		{ level: "warn", msg: "a", count: 2 },
	]);
});

test("logs work that failed for another reason on a line of its own, with its stack trace", () => {
	const { lines, reportWork } = open();
	reportWork(new Error("a mistake"), "not cleaned up");
	reportWork(overloaded, "not recorded");
	expect(lines).toMatchObject([
		{ level: "warn", msg: "not cleaned up", err: { message: "a mistake" } },
		{ level: "warn", msg: "not recorded" },
	]);
});

test("logs no failure of the database after the stop, which causes some", () => {
	const { lines, reportWork, stop } = open();
	stop();
	reportWork(storeUnavailable(), "failed because of the stop");
	expect(lines).toEqual([]);
});
