// kill -9 during an undo: afterwards all of it is done, or nothing.
import { expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/author.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { petstore } from "../harness/process.ts";
import { engines, importLines, newDatabase } from "../store/engines.ts";

const [rounds, animals] = [8, 5_000];

test.each(engines)(
	"%s: an undo is done as a whole or not at all",
	async (engine) => {
		const { url, remove } = await newDatabase(engine);
		const store = await openStore(url, { access: "create" });
		const { signal } = new AbortController();
		await importLines(
			store,
			Array.from({ length: animals }, () => rex),
		);
		const removal = { filter: {}, set: undefined, expected: animals, signal };
		const edit = await store.catalogue.changeAll(removal, byCommandLine());
		const count = async () =>
			(await store.catalogue.readCounts()).reduce(
				(sum, { pets }) => sum + pets,
				0,
			);
		for (let round = 0; round < rounds; round++) {
			const child = Bun.spawn(
				[petstore, "edits", "undo", `${edit}`, "--database", url],
				{ stdout: "ignore", stderr: "ignore" },
			);
			// From its start on until after its end.
			await Bun.sleep(
				engine === "sqlite" ? 200 + round * 40 : 400 + round * 200,
			);
			child.kill("SIGKILL");
			await child.exited;
			const left = await count();
			expect([0, animals]).toContain(left);
			expect((await store.check()).findings).toEqual([]);
			const found = await store.edits.find(edit ?? 0n);
			expect(found?.undoneBy !== undefined).toBe(left === animals);
			if (found?.undoneBy === undefined) continue;
			const { undoneBy: id } = found;
			const undo = {
				id,
				authored: byCommandLine(),
				maxAnimals: animals,
				signal,
			};
			await store.edits.undo(undo);
			expect(await count()).toBe(0);
		}
		await store.close();
		await remove();
	},
	120_000,
);
