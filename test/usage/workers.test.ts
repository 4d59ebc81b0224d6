// The metrics and the usage of several workers: every worker answers with the sum of all, even after one has ended.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { metricsSendMs } from "../../src/workers/metrics-sum.ts";
import { run } from "../harness/process.ts";
import { readMetrics, sumOf } from "../harness/prometheus.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import {
	serveWorkers,
	untilEnded,
	untilReplaced,
	type Workers,
} from "../harness/workers.ts";

let folder: ReturnType<typeof temporaryFolder>;
let service: Workers;
let key: string;
beforeEach(async () => {
	folder = temporaryFolder();
	const { stdout } = await run(
		["keys", "create", "--name", "prometheus", "--scope", "operator"],
		{ cwd: folder.path },
	);
	key = stdout.trim();
	service = await serveWorkers(2, [], { cwd: folder.path });
}, 30_000);
afterEach(async () => {
	await stop();
	folder.remove();
});

async function stop(): Promise<void> {
	service.kill("SIGTERM");
	await service.finished;
}

async function readLists(): Promise<number> {
	const samples = await readMetrics(service.url, key);
	const route = 'http_route="/v1/pets"';
	return sumOf(samples, "http_server_request_duration_seconds_count", route);
}

/** Linux may still give a connection to a process that is about to end, and then resets it. */
async function readListsAfterKill(): Promise<number> {
	try {
		return await readLists();
	} catch (error) {
		if (error instanceof TypeError) return readListsAfterKill();
		throw error;
	}
}

async function readProcesses(): Promise<number> {
	const samples = await readMetrics(service.url, key);
	return sumOf(samples, "petstore_processes");
}

async function list(times: number): Promise<void> {
	const calls = Array.from({ length: times }, () => service.call("/v1/pets"));
	for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
}

describe("Metrics of several workers", () => {
	test("shows the requests of all workers in each scrape, even of one that was killed", async () => {
		await list(40);
		for (let time = 0; time < 10; time++) expect(await readLists()).toBe(40);
		expect(await readProcesses()).toBe(2);
		const killed = service.signalWorker(1, "SIGKILL");
		await untilEnded([killed]);
		expect(await readListsAfterKill()).toBe(40);
		await untilReplaced(service.pids, 1, killed);
		await list(10);
		// The supervisor keeps the ended process apart as long as its last message may arrive.
		const until = performance.now() + 1.5 * metricsSendMs;
		while (performance.now() < until) {
			expect(await readLists()).toBe(50);
			await Bun.sleep(50);
		}
		expect(await readProcesses()).toBe(2);
	});

	test("lowers no total while the workers are restarted, and has every request in the usage after the stop", async () => {
		const seen = [await readLists()];
		let isRestarting = true;
		const restarted = service
			.untilLogged("the workers were restarted", 1)
			.finally(() => {
				isRestarting = false;
			});
		service.kill("SIGUSR2");
		while (isRestarting) {
			await list(2);
			seen.push(await readLists());
		}
		await restarted;
		expect(seen).toEqual(seen.map((_, index) => 2 * index));
		await stop();
		const { stdout } = await run(["usage", "--by", "operation", "--json"], {
			cwd: folder.path,
		});
		expect(JSON.parse(stdout).rows).toEqual([
			{
				operation: "listPets",
				requests: 2 * (seen.length - 1),
				errors: 0,
				p50Ms: expect.any(Number),
				p99Ms: expect.any(Number),
			},
		]);
	}, 30_000);
});
