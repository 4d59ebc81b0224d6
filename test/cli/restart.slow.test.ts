// SIGUSR2 with --workers: the workers are replaced one after the other, and no request fails.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { open } from "../harness/clients.ts";
import { request } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { serveWorkers, untilEnded } from "../harness/workers.ts";

// At the same time, since most of them wait until the old processes have ended. A folder is removed after the last test.
const service = (cwd = temporaryFolder().path) => serveWorkers(2, [], { cwd });

describe.concurrent("a restart", () => {
	test("starts each new process before the old one stops, and logs its steps", async () => {
		const workers = await service();
		const old = workers.pids();
		workers.kill("SIGUSR2");
		await workers.untilLogged("the workers were restarted", 1);
		expect(workers.pids()).toHaveLength(2);
		for (const pid of workers.pids()) expect(old).not.toContain(pid);
		expect(workers.log().slice(3)).toMatchObject([
			{ msg: "restarting the workers" },
			{ msg: "worker listening", worker: 1 },
			{ msg: "worker listening", worker: 2 },
			{ msg: "the workers were restarted" },
		]);
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
		await untilEnded(old);
		expect(
			workers.log().filter(({ msg }) => msg === "worker replaced"),
		).toMatchObject([{ status: 0 }, { status: 0 }]);
	}, 30_000);

	test("lets the old processes answer once more on their connections, and keeps /readyz at 200", async () => {
		const workers = await service();
		const kept = await Promise.all(
			Array.from({ length: 8 }, () => open(workers.url)),
		);
		const ready = request("GET /readyz", []);
		for (const { send } of kept) await send(ready);
		workers.kill("SIGUSR2");
		await workers.untilLogged("the workers were restarted", 1);
		for (const { send } of kept)
			expect(await send(ready)).toMatch(
				/^HTTP\/1\.1 200 .*connection: close/is,
			);
		for (let count = 0; count < 24; count++)
			expect((await workers.call("/readyz")).status).toBe(200);
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
	}, 30_000);

	test("restarts exactly once more if SIGUSR2 arrives during a restart", async () => {
		const workers = await service();
		workers.kill("SIGUSR2");
		// Signals that arrive together are one signal.
		await workers.untilLogged("restarting the workers", 1);
		for (let count = 0; count < 2; count++) {
			workers.kill("SIGUSR2");
			await Bun.sleep(20);
		}
		await workers.untilLogged("the workers were restarted", 2);
		await Bun.sleep(200);
		const messages = workers.log().map(({ msg }) => msg);
		expect(
			messages.filter((msg) => msg === "restarting the workers"),
		).toHaveLength(2);
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
	}, 30_000);

	test("keeps the old processes if a new one cannot start, and logs it", async () => {
		const folder = temporaryFolder();
		const workers = await service(folder.path);
		const old = workers.pids();
		rmSync(join(folder.path, "data"), { recursive: true });
		workers.kill("SIGUSR2");
		await workers.untilLogged(
			"the new process of a worker cannot start: this worker and the ones after it were not restarted",
			1,
		);
		expect(workers.pids()).toEqual(old);
		expect((await workers.call("/healthz")).status).toBe(200);
		workers.kill("SIGTERM");
		await workers.finished;
		await untilEnded(old);
	}, 30_000);

	test("starts a new process again if it is killed while the old one ends its connections", async () => {
		const workers = await service();
		workers.kill("SIGUSR2");
		await workers.untilLogged("the workers were restarted", 1);
		const killed = workers.signalWorker(1, "SIGKILL");
		await workers.untilLogged("worker listening", 5);
		expect(workers.pids()).not.toContain(killed);
		expect(workers.log().map(({ msg }) => msg)).not.toContain(
			"worker replaced",
		);
		workers.kill("SIGTERM");
		expect((await workers.finished).status).toBe(0);
	}, 30_000);

	test.each(["SIGTERM", "SIGKILL"] as const)(
		"ends the old and the new processes at %s to the supervisor, without waiting for idle connections",
		async (signal) => {
			const workers = await service();
			const old = workers.pids();
			const kept = await open(workers.url);
			await kept.send(request("GET /healthz", []));
			workers.kill("SIGUSR2");
			await workers.untilLogged("the workers were restarted", 1);
			const begun = performance.now();
			workers.kill(signal);
			await untilEnded([...old, ...workers.pids()]);
			expect(performance.now() - begun).toBeLessThan(8_000);
			await workers.finished;
		},
		30_000,
	);
});
