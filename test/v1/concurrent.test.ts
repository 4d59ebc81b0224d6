// Many clients that add at the same time. test/project/faults.slow.test.ts has the same while something fails.
import { expect, test } from "bun:test";
import { serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { walk } from "../harness/walk.ts";
import { add } from "../harness/writers.ts";

const apiKey = "a-key-known-to-the-tests";

test("gives different ids to 1,000 animals that 32 clients add at the same time, and lists them all", async () => {
	const folder = temporaryFolder();
	const service = await serve([], {
		cwd: folder.path,
		env: { PETSTORE_API_KEY: apiKey },
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
