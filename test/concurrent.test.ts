// Nothing that was acknowledged is lost and nothing is done twice: many clients, and a process killed at its work.
import { expect, test } from "bun:test";
import { serve } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";
import { add, startWriters, walk } from "./writers.ts";

const apiKey = "a-key-known-to-the-tests";
const rounds = Number(process.env.CRASH_ROUNDS ?? 5);

test(`${rounds} times killed under 32 writers, every acknowledged animal is there, and none twice`, async () => {
	const folder = temporaryFolder();
	const options = { cwd: folder.path, env: { API_KEY: apiKey } };
	let service = await serve([], options);
	const writers = startWriters(32, apiKey, () => [service.url]);
	for (let round = 0; round < rounds; round++) {
		await writers.progress();
		await Bun.sleep(50 + Math.random() * 200);
		service.kill("SIGKILL");
		await service.finished;
		service = await serve([], options);
	}
	await writers.stop();
	const listed = await walk(service.url, apiKey);
	expect(new Map(listed)).toEqual(new Map(writers.acknowledged));
	expect(listed).toHaveLength(writers.acknowledged.size);
	expect([...writers.statuses]).toEqual([201]);
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 120_000);

test("1,000 animals added by 32 clients at once have 1,000 ids and are all listed", async () => {
	const folder = temporaryFolder();
	const service = await serve([], {
		cwd: folder.path,
		env: { API_KEY: apiKey },
	});
	let next = 0;
	const added = new Map<string, string>();
	await Promise.all(
		Array.from({ length: 32 }, async () => {
			while (next < 1_000) {
				const name = `animal-${next++}`;
				const { id } = await (await add(service.url, apiKey, name)).json();
				added.set(name, String(id));
			}
		}),
	);
	expect(new Set(added.values()).size).toBe(1_000);
	const listed = await walk(service.url, apiKey);
	expect(listed).toHaveLength(1_000);
	expect(new Map(listed)).toEqual(added);
	service.kill("SIGTERM");
	await service.finished;
	folder.remove();
}, 30_000);
