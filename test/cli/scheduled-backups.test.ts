// Backups that a service makes by itself: one in each period, by one of all services that use the database.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { openService, startMs } from "../service.ts";
import { engines, newDatabase } from "../store/engines.ts";

const everyMs = 2_000;

describe("Backups by themselves", () => {
	describe.each(engines)("%s", (engine) => {
		test(
			"makes one backup in each period when several services have a folder each",
			async () => {
				const database = await newDatabase(engine);
				const folder = temporaryFolder();
				const folders = ["a", "b", "c"].map((name) => `${folder.path}/${name}`);
				const services = await Promise.all(
					folders.map((folder) =>
						openService("in process", {
							databaseUrl: database.url,
							backups: { folder, keep: 5, everyMs },
						}),
					),
				);
				const lines = () =>
					services.flatMap(({ log }) =>
						log.filter(({ msg }) => msg === "a backup was made"),
					);
				while (lines().length < 3) await Bun.sleep(50);
				await Promise.all(services.map(({ close }) => close()));
				const names = lines().map(({ backup }) => backup);
				const files = folders.flatMap((path) =>
					existsSync(path) ? readdirSync(path) : [],
				);
				expect(files.sort()).toEqual(names.map(String).sort());
				const times = lines()
					.map(({ time }) => Date.parse(`${time}`))
					.sort((one, other) => one - other);
				// A backup takes longer or shorter than the one before.
				for (const [index, time] of times.slice(1).entries())
					expect(time - (times[index] ?? 0)).toBeGreaterThan(everyMs / 2);
				await database.remove();
				folder.remove();
			},
			startMs,
		);

		test("makes no backup if one is younger than the period", async () => {
			const database = await newDatabase(engine);
			const folder = temporaryFolder();
			const open = () =>
				openService("in process", {
					databaseUrl: database.url,
					backups: { folder: folder.path, everyMs: 3_600_000 },
				});
			const first = await open();
			while (!(await first.store.backups.read()).newestAt) await Bun.sleep(20);
			await first.close();
			const second = await open();
			await Bun.sleep(300);
			await second.close();
			expect(readdirSync(folder.path)).toHaveLength(1);
			await database.remove();
			folder.remove();
		});
	});

	test("are made beside a SQLite file unless --backup-every is 0, and need a folder for another database", async () => {
		const folder = temporaryFolder();
		const options = { cwd: folder.path };
		const none = await serve(["--backup-every", "0"], options);
		none.kill("SIGTERM");
		await none.finished;
		const backups = `${folder.path}/data/backups`;
		expect(existsSync(backups)).toBe(false);
		const service = await serve([], options);
		const isMade = () => existsSync(backups) && readdirSync(backups)[0];
		await waitFor(
			() => /\.db$/.test(isMade() || "") || undefined,
			() => "no backup was made",
		);
		service.kill("SIGTERM");
		await service.finished;
		const args = ["--backup-every", "24h", "--database", "sqlite::memory:"];
		expect(await run(["serve", ...args], options)).toMatchObject({ status: 2 });
		folder.remove();
	}, 20_000);
});
