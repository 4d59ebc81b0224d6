// Two services make the backups of one PostgreSQL database. One is killed while it makes a backup.
import { describe, expect, test } from "bun:test";
import { toBackupTime } from "../../src/backups/names.ts";
import { addDemoAnimals } from "../harness/demo-animals.ts";
import { toLog } from "../harness/log.ts";
import { run, serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { newDatabase } from "../store/engines.ts";
import { findMakers, findNamed } from "./backup-files.ts";

const everyMs = 10_000;
const animals = 3_000;
/** A period, the lease of a killed process, and the start of a process on a busy machine. */
const waitMs = 40_000;

describe("Backups by themselves", () => {
	test("makes one backup in each period with two services, and goes on when one is killed", async () => {
		const database = await newDatabase("postgres");
		await addDemoAnimals(database.url, animals);
		const folder = temporaryFolder();
		const open = async (backups: string) => {
			const flags = [
				...["--database", database.url],
				...["--backups", backups, "--backup-every", `${everyMs / 1_000}s`],
				...["--backup-keep", "10"],
			];
			const service = await serve(flags, { cwd: folder.path });
			const made = () =>
				toLog(service.output().stderr).filter(
					({ msg }) => msg === "a backup was made",
				);
			return { ...service, backups, made };
		};
		const services = [
			await open(`${folder.path}/a`),
			await open(`${folder.path}/b`),
		];
		const made = () => services.flatMap((service) => service.made());
		const files = () => services.flatMap(({ backups }) => findNamed(backups));
		await waitFor(
			() => (made().length >= 3 ? true : undefined),
			() => `backups: ${JSON.stringify(made())}`,
			3 * waitMs,
		);
		expect(files().sort()).toEqual(made().map(toName).sort());

		const killed = await waitFor(
			() => services.find(({ backups }) => findMakers(backups).length > 0),
			() => "no fourth backup was begun",
			waitMs,
		);
		await Bun.sleep(Math.random() * 500);
		killed.kill("SIGKILL");
		await killed.finished;
		const [other] = services.filter((service) => service !== killed);
		const before = other?.made().length ?? 0;
		await waitFor(
			() => ((other?.made().length ?? 0) > before ? true : undefined),
			() => `the other service made none: ${other?.output().stderr}`,
			waitMs,
		);
		other?.kill("SIGTERM");
		await other?.finished;

		const times = files()
			.map((name) => toBackupTime(name) ?? 0)
			.sort((one, next) => one - next);
		// The time in a name is that of the process, which may start late.
		for (const [index, time] of times.slice(1).entries())
			expect(time - (times[index] ?? 0)).toBeGreaterThan(everyMs / 2);
		for (const { backups } of services)
			for (const name of findNamed(backups)) {
				const path = `${backups}/${name}`;
				const checked = await run(["check", "--json", path], {
					cwd: folder.path,
				});
				expect(JSON.parse(checked.stdout)).toEqual({
					animals,
					problems: 0,
					findings: [],
				});
			}
		await database.remove();
		folder.remove();
	}, 180_000);
});

function toName({ backup }: Record<string, unknown>): string {
	return `${backup}`;
}
