// What the log says about a database that fails: one line when the outage begins, one a minute while it lasts, and one when it has ended.
import { expect, test } from "bun:test";
import { overloaded, storeUnavailable } from "../../src/domain/errors.ts";
import { createOutages } from "../../src/log/outages.ts";
import { logTo } from "../harness/log.ts";
import { waitFor } from "../harness/process.ts";

type Line = Record<string, unknown>;
const begun = "the database cannot be used";
const lasting = "the database still cannot be used";
const ended = "the database can be used again";
const fast = { checkMs: 5, quietMs: 50, reminderMs: 60_000 };

test("ends an outage without requests when the database answers again, and begins another at the next failure", async () => {
	const { lines, log } = openLog();
	let isAway = true;
	const ping = async () => {
		if (isAway) throw storeUnavailable(new Error("away"));
	};
	const outages = createOutages(ping, log, fast);
	for (let time = 0; time < 2; time++) {
		isAway = true;
		lines.length = 0;
		outages.reportWork(storeUnavailable(new Error("gone")), "not cleaned up");
		await Bun.sleep(200);
		expect(lines).toMatchObject([
			{ level: "error", msg: begun, reason: "gone", failed: "not cleaned up" },
		]);
		isAway = false;
		const { ms, refused } = await waitForLine(lines, ended);
		expect(ms).toBeGreaterThan(100);
		expect(refused).toBe(0);
	}
});

test("logs a line at every interval of a long outage, with the latest reason", async () => {
	const { lines, log } = openLog();
	const ping = async () => {
		throw storeUnavailable(new Error("a later reason"));
	};
	const outages = createOutages(ping, log, { ...fast, reminderMs: 40 });
	for (const path of ["/first", "/second"])
		outages.countRequest(storeUnavailable(), () => ({ path }));
	await waitFor(
		() => (lines.length >= 4 ? true : undefined),
		() => JSON.stringify(lines),
	);
	outages.stop();
	expect(lines[0]).toMatchObject({ msg: begun, path: "/first" });
	expect(lines[1]).toMatchObject({
		level: "error",
		msg: lasting,
		refused: 2,
		reason: "a later reason",
		ms: expect.any(Number),
	});
});

test("logs work that failed for another reason on a line of its own, with its stack trace", () => {
	const { lines, log } = openLog();
	const outages = createOutages(async () => {}, log, fast);
	outages.reportWork(new Error("a mistake"), "not cleaned up");
	outages.reportWork(overloaded, "not recorded");
	expect(lines).toMatchObject([
		{ level: "warn", msg: "not cleaned up", err: { message: "a mistake" } },
		{ level: "warn", msg: "not recorded" },
	]);
});

test("neither logs nor asks the database after the stop", async () => {
	const { lines, log } = openLog();
	let pings = 0;
	const ping = async () => {
		pings++;
	};
	const outages = createOutages(ping, log, fast);
	outages.reportWork(storeUnavailable(), "not cleaned up");
	outages.stop();
	const stopped = createOutages(ping, log, fast);
	stopped.stop();
	stopped.reportWork(storeUnavailable(), "failed because of the stop");
	await Bun.sleep(200);
	expect(pings).toBe(0);
	expect(lines).toMatchObject([
		{ msg: begun, reason: "it did not answer in time" },
	]);
});

function openLog() {
	const lines: Line[] = [];
	const log = logTo((record) => lines.push(record));
	return { lines, log };
}

/** Waits until the log has a line with this message. */
function waitForLine(lines: readonly Line[], msg: string): Promise<Line> {
	return waitFor(
		() => lines.find((line) => line.msg === msg),
		() => JSON.stringify(lines),
	);
}
