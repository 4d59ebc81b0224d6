// Imports and exports of large files: their memory, the largest file, and a reader that has stopped.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { measureCommand } from "../harness/measure-command.ts";
import { petstore } from "../harness/process.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

function writeAnimals(count: number): void {
	const file = openSync(place.path("animals.ndjson"), "w");
	const line = `{"name":"${"x".repeat(255)}","categoryId":1}\n`;
	const lines = line.repeat(1_000);
	for (let left = count; left > 0; left -= 1_000)
		writeSync(file, left >= 1_000 ? lines : line.repeat(left));
	closeSync(file);
}

test("imports 90 MB with 300,000 animals in less than 300 MB of memory, and exports them in less than 150 MB", async () => {
	writeAnimals(300_000);
	for (const [maxMb, ...args] of [
		[300, "import", "animals.ndjson"],
		[150, "export", "again.ndjson"],
	] as const) {
		const command = [petstore, ...args];
		const { status, peakMb } = await measureCommand(command, place.path());
		expect(status).toBe(0);
		expect(peakMb).toBeGreaterThan(20);
		expect(peakMb).toBeLessThan(maxMb);
	}
}, 120_000);

test("refuses a file with more than 1,000,000 animals, and imports nothing", async () => {
	writeAnimals(1_000_001);
	const refused = await place.run("import animals.ndjson");
	expect(refused.status).toBe(1);
	expect(refused.stderr).toContain("more than 1,000,000 animals");
	const { status } = await place.run("status");
	expect(status).toBe(1);
}, 120_000);

test("ends an export to stdout if its reader has stopped and the WAL grows", async () => {
	writeAnimals(20_000);
	await place.run("import animals.ndjson");
	const db = new Database(place.path("data/petstore.db"));
	const running = place.shell(
		'(petstore export; echo "status $?" >&2) | sleep 60',
	);
	// The export has begun: no checkpoint passes its snapshot.
	await Bun.sleep(2_000);
	db.run("CREATE TABLE large (bytes BLOB)");
	db.run("INSERT INTO large VALUES (zeroblob(140000000))");
	await running.printed(/status 1/);
	expect(running.output().stderr).toContain("WAL");
	db.close();
	running.kill("SIGKILL");
}, 60_000);
