// kill -9 of services while they make a backup by themselves: nothing is half done.
// BACKUP_ROUNDS sets the number of rounds.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readBackupName } from "../../src/backups/folder.ts";
import { openStore } from "../../src/store/store.ts";
import { addDemoAnimals } from "../harness/demo-animals.ts";
import { serve, waitFor } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import {
	type Engine,
	engines,
	executeOn,
	newDatabase,
} from "../store/engines.ts";

const rounds = Number(process.env.BACKUP_ROUNDS ?? 3);
const timeoutMs = rounds * 60_000;
/** Other programs may keep the processor busy. */
const waitMs = 30_000;
/** After every so many rounds, a service makes its backup undisturbed. */
const recoverEvery = 3;

describe("Backups by themselves", () => {
	test.each(engines)(
		"%s: leaves only complete backups under their names, and no process, when services are killed during a backup",
		async (engine) => {
			const database = await newDatabase(engine);
			const folder = temporaryFolder();
			const backups = `${folder.path}/backups`;
			const flags = [
				...["--database", database.url],
				...["--backups", backups, "--backup-every", "1h"],
			];
			const open = () => serve(flags, { cwd: folder.path });
			const noMaker = () =>
				waitFor(
					() => (findMakers(backups).length === 0 ? true : undefined),
					() => "a process that makes a backup is left",
					waitMs,
				);
			await addDemoAnimals(database.url, 3_000);
			const complete = new Set<string>();
			for (let round = 1; round <= rounds; round++) {
				await makeDue(engine, database.url);
				rmSync(backups, { recursive: true, force: true });
				const services = await Promise.all([open(), open()]);
				await Bun.sleep(Math.random() * 500);
				// In turn: only the process that makes the backup; only one service; all of them.
				if (round % 3 === 0) for (const pid of findMakers(backups)) kill(pid);
				else services[0]?.kill("SIGKILL");
				if (round % 3 === 1) services[1]?.kill("SIGKILL");
				else services[1]?.kill("SIGTERM");
				services[0]?.kill("SIGKILL");
				await Promise.all(services.map(({ finished }) => finished));
				await noMaker();
				const named = await requireComplete(backups);
				expect(named.length).toBeLessThanOrEqual(1);
				if (round % recoverEvery !== 0) continue;

				// As if the pause after the killed backup had ended.
				const free = "UPDATE $catalogue SET backup_tried_at = NULL";
				await executeOn(engine, database.url, (schema) => [
					free.replace("$", schema),
				]);
				const service = await open();
				await waitFor(
					() => (findNamed(backups).length > 0 ? true : undefined),
					() => `no backup was made: ${service.output().stderr}`,
					waitMs,
				);
				service.kill("SIGTERM");
				await service.finished;
				await noMaker();
				const [only = "", ...others] = await requireComplete(backups);
				expect(others).toEqual([]);
				expect(complete).not.toContain(only);
				complete.add(only);
			}
			await requireSound(database.url);
			await database.remove();
			folder.remove();
		},
		timeoutMs,
	);
});

async function makeDue(engine: Engine, url: string): Promise<void> {
	await executeOn(engine, url, (schema) => [
		`UPDATE ${schema}catalogue SET backed_up_at = NULL, backup_tried_at = NULL`,
	]);
}

function kill(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch {}
}

/** Returns the names of the backups. Fails if one is incomplete. */
async function requireComplete(folder: string): Promise<string[]> {
	const names = findNamed(folder);
	for (const name of names) {
		const backup = await openStore(`sqlite:${folder}/${name}`, {
			access: "read",
		});
		expect(await backup.check()).toMatchObject({
			findings: [],
			animals: 3_000,
		});
		await backup.close();
	}
	return names;
}

async function requireSound(url: string): Promise<void> {
	const reader = await openStore(url, { access: "read" });
	expect(await reader.check()).toMatchObject({ findings: [] });
	await reader.close();
}

/** The processes of `petstore backup` in this folder. */
function findMakers(folder: string): number[] {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
				return words.includes("backup") && words.includes(folder);
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** The files that are named like a backup. */
function findNamed(folder: string): string[] {
	return readNames(folder).filter((name) => readBackupName(name) !== undefined);
}

function readNames(folder: string): string[] {
	return existsSync(folder) ? readdirSync(folder) : [];
}
