// Several workers on one port keep the promises of a single process, on both engines, also while workers are killed.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDatabase } from "../harness/postgres/server.ts";
import { run } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";
import {
	apiKey,
	serveWorkers,
	untilEnded,
	untilReplaced,
	type Workers,
} from "../harness/workers.ts";
import { add, startWriters } from "../harness/writers.ts";

/** The longest time before a worker that ended is started again. */
const longestDelayMs = 5_000;
const rounds = Number(process.env.WORKER_ROUNDS ?? 2);

const engines = {
	sqlite: async (folder: string) => ({
		url: `sqlite:${folder}/petstore.db`,
		remove: async () => {},
	}),
	postgres: () => createDatabase(),
};

describe.each(["sqlite", "postgres"] as const)(
	"two workers on %s",
	(engine) => {
		let folder: ReturnType<typeof temporaryFolder>;
		let database: Awaited<ReturnType<typeof createDatabase>>;
		let service: Workers;
		let env: Record<string, string>;
		beforeEach(async () => {
			folder = temporaryFolder();
			database = await engines[engine](folder.path);
			env = { PETSTORE_DATABASE: database.url };
			service = await serveWorkers(2, ["--log-requests"], {
				cwd: folder.path,
				env,
			});
		}, 30_000);
		afterEach(async () => {
			const pids = service.pids();
			service.kill("SIGTERM");
			await untilEnded(pids);
			await database.remove();
			folder.remove();
		});

		/** Sends the same request on `count` connections at the same time. */
		const callInParallel = (count: number, path: string, init?: RequestInit) =>
			Promise.all(
				Array.from({ length: count }, () => service.call(path, init)),
			);

		test(
			`loses no acknowledged animal and adds none twice when ${rounds} workers are killed under 16 writers`,
			async () => {
				const writers = startWriters(16, apiKey, () => [service.url]);
				for (let round = 0; round < rounds; round++) {
					await writers.progress();
					await Bun.sleep(Math.random() * 200);
					const worker = 1 + (round % 2);
					const killed = service.signalWorker(worker, "SIGKILL");
					await untilReplaced(service.pids, worker, killed);
				}
				await writers.progress();
				await writers.stop();
				const listed = await walk(service.url, apiKey);
				expect(new Map(listed)).toEqual(new Map(writers.acknowledged));
				expect(listed).toHaveLength(writers.acknowledged.size);
				expect([...writers.statuses.keys()]).toEqual([201]);
			},
			20_000 + rounds * longestDelayMs,
		);

		test("lists an animal in every worker as soon as one has acknowledged it", async () => {
			const answerers = new Set<number>();
			for (let round = 0; round < 20; round++) {
				const { id } = await (
					await add(service.url, apiKey, `animal-${round}`)
				).json();
				const replies = await callInParallel(6, "/v1/pets?limit=1");
				for (const reply of replies)
					expect(await reply.json()).toMatchObject([{ id }]);
				for (const worker of await service.answerers(replies))
					answerers.add(worker);
			}
			expect(answerers).toEqual(new Set([1, 2]));
		});

		test("adds one animal when all workers get the same Idempotency-Key at once", async () => {
			const answerers = new Set<number>();
			for (let round = 0; round < 10; round++) {
				const replies = await callInParallel(16, "/v1/pets", {
					method: "POST",
					headers: {
						"Content-Type": "application/json",
						"Idempotency-Key": `order-${round}`,
					},
					body: JSON.stringify({ name: `animal-${round}`, categoryId: 1 }),
				});
				expect(replies.map(({ status }) => status)).toEqual(
					Array(16).fill(201),
				);
				const bodies = await Promise.all(replies.map((reply) => reply.text()));
				expect(new Set(bodies).size).toBe(1);
				for (const worker of await service.answerers(replies))
					answerers.add(worker);
			}
			expect(await walk(service.url, apiKey)).toHaveLength(10);
			expect(answerers).toEqual(new Set([1, 2]));
		});

		test("refuses a revoked key in every worker within a second", async () => {
			const options = { cwd: folder.path, env };
			const made = await run(["keys", "create", "--name", "x"], options);
			const init = {
				headers: { Authorization: `Bearer ${made.stdout.trim()}` },
			};
			const before = await callInParallel(16, "/v1/pets", init);
			expect(new Set(before.map(({ status }) => status))).toEqual(
				new Set([200]),
			);
			expect((await service.answerers(before)).size).toBe(2);
			await run(["keys", "revoke", "1"], options);
			await Bun.sleep(1_000);
			const after = await callInParallel(16, "/v1/pets", init);
			expect(new Set(after.map(({ status }) => status))).toEqual(
				new Set([401]),
			);
			expect((await service.answerers(after)).size).toBe(2);
		});
	},
);
