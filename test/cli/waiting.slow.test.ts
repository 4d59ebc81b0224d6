// Commands that write many rows beside a running service wait for its lock.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { engines, holdLock, newDatabase } from "../store/engines.ts";
import { usePlace } from "./place.ts";

const place = usePlace();

test.each(engines)(
	"%s: imports and restores fail with a sentence if they wait too long, and change nothing, and go on when the lock is free",
	async (engine) => {
		const database = await newDatabase(engine);
		const env = { PETSTORE_DATABASE: database.url };
		const store = await openStore(database.url, { access: "create" });
		await store.catalogue.addPet({ pet: rex });
		await place.run("backup backup.db", env);
		writeFileSync(place.path("new.ndjson"), '{"name":"New","categoryId":1}\n');
		for (const command of [
			"import new.ndjson",
			"restore backup.db --replace --yes --folder made",
		]) {
			const before = await store.feed.last();
			const release = await holdLock(database.url);
			expect(await place.run(command, env)).toMatchObject({
				status: 1,
				stderr: expect.stringMatching(
					/^petstore: .*nothing was (imported|restored).* again.*\(another process or request is writing\)\n$/im,
				),
			});
			expect(await store.feed.last()).toBe(before);
			const running = place.start(command, env);
			await Bun.sleep(500);
			await release();
			const { status, stderr } = await running.finished;
			expect([stderr, status]).toEqual([stderr, 0]);
		}
		await store.close();
		await database.remove();
	},
	60_000,
);
