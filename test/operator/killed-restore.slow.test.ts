// kill -9 of a service and of its process while a backup is restored over HTTP: the database is as before or as the backup.
// RESTORE_ROUNDS sets the number of rounds.
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { openStore } from "../../src/store/store.ts";
import { backUp } from "../harness/backup.ts";
import { makeKey } from "../harness/key.ts";
import { rex } from "../harness/pet.ts";
import { serve } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { engines, importLines, newDatabase } from "../store/engines.ts";

const rounds = Number(process.env.RESTORE_ROUNDS ?? 6);
const sizes = [20_000, 10_000] as const;
const nameOf = (size: number) =>
	`petstore-00000000-20260101T000000Z-${size}.db`;

test.each(engines)(
	"%s: a killed restore has done all or nothing",
	async (engine) => {
		const database = await newDatabase(engine);
		using folder = temporaryFolder();
		const backups = `${folder.path}/backups`;
		mkdirSync(backups);
		for (const size of sizes) {
			const source = await openStore("sqlite::memory:", { access: "create" });
			await importLines(
				source,
				Array.from({ length: size }, () => rex),
			);
			const { path, remove } = await backUp(source);
			await Bun.write(`${backups}/${nameOf(size)}`, Bun.file(path));
			remove();
			await source.close();
		}
		const store = await openStore(database.url, { access: "create" });
		const { key, record } = makeKey({ scope: "operator" });
		await store.keys.add(record);
		const headers = {
			Authorization: `Bearer ${key}`,
			"Content-Type": "application/json",
		};
		const flags = `--database ${database.url} --backups ${backups} --backup-every 0`;
		let animals = 0;
		let [before, after] = [0, 0];
		for (let round = 0; round < rounds; round++) {
			const service = await serve(flags.split(" "), { cwd: folder.path });
			const size = sizes.find((one) => one !== animals) ?? 0;
			const path = `/operator/v1/backups/${nameOf(size)}/restore`;
			const body = JSON.stringify({ animals: size });
			const request = { method: "POST", headers, body };
			const restoring = fetch(service.url + path, request).catch(() => {});
			// The first two rounds end by themselves, and show how long it takes.
			if (round > 1) await Bun.sleep(1.2 * Math.random() * takes);
			else {
				const begun = performance.now();
				expect((await restoring)?.status).toBe(200);
				takes = performance.now() - begun;
			}
			service.kill("SIGKILL");
			await service.finished;
			await restoring;
			// The process of the restore ends when it notices.
			await store.catalogue.changePets([{ petId: 0n, set: undefined }]);
			const checked = await store.check();
			expect(checked.findings).toEqual([]);
			// The import of the backup, and the restore.
			const found = await store.edits.list(2n ** 62n, 100);
			expect(found.map(({ kind }) => kind)).toEqual(["restored", "imported"]);
			if (checked.animals === size) after++;
			else before++;
			expect([size, animals]).toContain(checked.animals);
			animals = checked.animals;
		}
		console.log(`${engine}: ${before} before, ${after} after`);
		await store.close();
		await database.remove();
	},
	rounds * 30_000,
);

let takes = 0;
