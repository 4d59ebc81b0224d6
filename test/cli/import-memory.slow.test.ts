// The memory of imports and exports does not grow with the file.
import { expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { measureCommand } from "../harness/measure-command.ts";
import { petstore } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const maxMb = 150;

test("imports and exports 180 MB of long names in less than 150 MB of memory", async () => {
	const folder = temporaryFolder();
	const file = openSync(`${folder.path}/long.ndjson`, "w");
	const line = `{"name":"${"x".repeat(60_000)}","categoryId":1}\n`;
	for (let count = 0; count < 3_000; count++) writeSync(file, line);
	closeSync(file);
	for (const args of [
		["import", "long.ndjson"],
		["export", "again.ndjson"],
	]) {
		const { status, peakMb } = await measureCommand(
			[petstore, ...args],
			folder.path,
		);
		expect(status).toBe(0);
		expect(peakMb).toBeGreaterThan(20);
		expect(peakMb).toBeLessThan(maxMb);
	}
	folder.remove();
}, 120_000);
