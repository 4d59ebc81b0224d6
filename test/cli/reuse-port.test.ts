// `serve --reuse-port`: two copies on one port and one SQLite file.
import { beforeEach, expect, test } from "bun:test";
import { apiKey, type Copy, openCopies } from "../harness/copies.ts";
import { readMetrics, sumOf } from "../harness/prometheus.ts";
import { walk } from "../harness/walk.ts";
import { startWriters } from "../harness/writers.ts";
import { usePlace } from "./place.ts";

const place = usePlace();
let copies: Awaited<ReturnType<typeof openCopies>>;
let one: Copy;
let other: Copy;
beforeEach(async () => {
	copies = await openCopies(["--drain", "0.5"], { cwd: place.path() });
	one = await copies.start();
	other = await copies.start();
}, 30_000);

test("both answer, and each counts its own requests at its operator address", async () => {
	const { stdout } = await place.run("keys create --name x --scope metrics");
	const replies = await Promise.all(
		Array.from({ length: 60 }, () => copies.call("/v1/pets")),
	);
	for (const { status } of replies) expect(status).toBe(200);
	const counts = await Promise.all(
		[one, other].map(async ({ operatorUrl }) =>
			sumOf(
				await readMetrics(operatorUrl, stdout.trim()),
				"petstore_request_duration_seconds_count",
				'operation="listPets"',
			),
		),
	);
	expect(Math.min(...counts)).toBeGreaterThan(0);
	expect(counts.reduce((sum, count) => sum + count)).toBe(60);
	expect((await copies.call("/metrics")).status).toBe(404);
});

test("loses no acknowledged add and adds none twice while one copy is stopped and one is killed", async () => {
	const writers = startWriters(16, apiKey, () => [copies.url]);
	await writers.progress();
	one.kill("SIGTERM");
	expect((await one.finished).status).toBe(0);
	await writers.progress();
	one = await copies.start();
	await writers.progress();
	other.kill("SIGKILL");
	await other.finished;
	await writers.progress();
	await writers.stop();
	const listed = await walk(copies.url, apiKey);
	expect(new Map(listed)).toEqual(new Map(writers.acknowledged));
	expect(listed).toHaveLength(writers.acknowledged.size);
	expect(writers.wrong).toEqual([]);
}, 30_000);
