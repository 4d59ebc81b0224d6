// `serve --reuse-port`: two copies on one port and one SQLite file.
import { beforeEach, expect, test } from "bun:test";
import { freePort } from "../harness/free-port.ts";
import { readMetrics, sumOf } from "../harness/prometheus.ts";
import { walk } from "../harness/walk.ts";
import { startWriters } from "../harness/writers.ts";
import { apiKey, authorized, usePlace } from "./place.ts";

const place = usePlace();
let port: number;
let url: string;
/** Each has an operator address of its own. */
const startCopy = () =>
	place.serve(
		`--port ${port} --reuse-port --operator-address 127.0.0.1:0 --drain 0.5`,
		{ PETSTORE_API_KEY: apiKey },
	);
type Copy = Awaited<ReturnType<typeof startCopy>>;
let one: Copy;
let other: Copy;
beforeEach(async () => {
	port = await freePort();
	url = `http://127.0.0.1:${port}`;
	one = await startCopy();
	other = await startCopy();
}, 30_000);

test("both answer, and each counts its own requests at its operator address", async () => {
	const { stdout } = await place.run("keys create --name x --scope metrics");
	/** Over a new connection, which any copy may get. */
	const call = (path: string) =>
		fetch(url + path, { keepalive: false, ...authorized });
	const replies = await Promise.all(
		Array.from({ length: 60 }, () => call("/v1/pets")),
	);
	for (const { status } of replies) expect(status).toBe(200);
	const counts = await Promise.all(
		[one, other].map(async ({ output }) => {
			const [, operatorUrl = ""] =
				/"operatorUrl":"([^"]+)"/.exec(output().stderr) ?? [];
			return sumOf(
				await readMetrics(operatorUrl, stdout.trim()),
				"petstore_request_duration_seconds_count",
				'operation="listPets"',
			);
		}),
	);
	expect(Math.min(...counts)).toBeGreaterThan(0);
	expect(counts.reduce((sum, count) => sum + count)).toBe(60);
	expect((await call("/metrics")).status).toBe(404);
});

test("loses no acknowledged add and adds none twice while one copy is stopped and one is killed", async () => {
	const writers = startWriters(16, apiKey, () => url);
	await writers.progress();
	expect((await one.stop()).status).toBe(0);
	await writers.progress();
	one = await startCopy();
	await writers.progress();
	other.kill("SIGKILL");
	await other.finished;
	await writers.progress();
	await writers.stop();
	const listed = await walk(url, apiKey);
	expect(new Map(listed)).toEqual(new Map(writers.acknowledged));
	expect(listed).toHaveLength(writers.acknowledged.size);
	expect(writers.wrong).toEqual([]);
}, 30_000);
