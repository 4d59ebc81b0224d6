// `petstore backup` is killed, or its disk is full, while clients add animals. A file with the name of a backup must be complete. The next
// backup must work, have every animal that was acknowledged before it, and remove partial files.
import { mkdirSync, readdirSync } from "node:fs";
import { readBackupName } from "../../src/backups/folder.ts";
import { openStore } from "../../src/store/store.ts";
import { run, start } from "../../test/harness/process.ts";
import { buildShim, type Shim } from "../disk/shim.ts";
import { injectUnderLoad, type Load } from "../injection/inject.ts";
import { readPets } from "../injection/pets.ts";
import { measureMs } from "../injection/result.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { fileIn, openService } from "../service.ts";

export async function killBackup(options: ScenarioOptions): Promise<Result> {
	const { folder, program } = options;
	const shim = buildShim(folder);
	const service = await openService(options);
	const backups = `${folder}/backups`;
	mkdirSync(backups);
	const command = [
		...["backup", "--keep", "2", "--folder", backups],
		...["--database", `sqlite:${fileIn(options)}`],
	];
	let round = 0;
	let usualMs = 300;
	const result = await injectUnderLoad(options, {
		writers: 4,
		pauseMs: 50,
		url: service.url,
		async inject(load) {
			if (++round % 4 === 0) await fillDisk(command, options, shim, load);
			else {
				const backup = start([program, ...command], { cwd: folder });
				await Bun.sleep(Math.random() * usualMs * 1.2);
				backup.kill("SIGKILL");
				await backup.finished;
			}
			const recovered = await load.measureRecovery();
			for (const name of readdirSync(backups).filter(isNamed))
				await requireComplete(`${backups}/${name}`, load);
			usualMs = await measureMs(() => backUpAgain(command, options, load));
			return recovered;
		},
	});
	await service.stop();
	return result;
}

const isNamed = (name: string) => readBackupName(name) !== undefined;

/** The backup must fail with a message, and leave no file. */
async function fillDisk(
	command: readonly string[],
	{ program, folder }: ScenarioOptions,
	shim: Shim,
	{ wrong }: Load,
): Promise<void> {
	const before = readdirSync(`${folder}/backups`);
	shim.switchOn("no-space");
	const { status, stderr } = await run(command, {
		program,
		cwd: folder,
		env: shim.env,
	});
	shim.switchOff("no-space");
	if (status !== 1 || !stderr.includes("cannot be made"))
		wrong.push(`a backup on a full disk ended with ${status}: ${stderr}`);
	const left = readdirSync(`${folder}/backups`);
	if (left.length > before.length)
		wrong.push(`a backup on a full disk left ${left.join(", ")}`);
}

/** Returns the names of its animals. */
async function requireComplete(
	path: string,
	{ wrong }: Load,
): Promise<Set<string>> {
	const names = new Set<string>();
	try {
		const backup = await openStore(`sqlite:${path}`, { access: "read" });
		const { findings } = await backup.check();
		if (findings.length > 0) wrong.push(`${path} is damaged: ${findings[0]}`);
		for (const { name } of await readPets(backup)) names.add(name);
		await backup.close();
	} catch (error) {
		wrong.push(`${path} cannot be read: ${error}`);
	}
	return names;
}

async function backUpAgain(
	command: readonly string[],
	{ program, folder }: ScenarioOptions,
	load: Load,
): Promise<void> {
	const acknowledged = [...load.writers.acknowledged.keys()];
	const { status, stdout, stderr } = await run([...command, "--json"], {
		program,
		cwd: folder,
	});
	if (status !== 0) {
		load.wrong.push(`the backup after a killed one failed: ${stderr}`);
		return;
	}
	const names = await requireComplete(JSON.parse(stdout).path, load);
	const missing = acknowledged.filter((name) => !names.has(name));
	if (missing.length > 0)
		load.wrong.push(`${missing.length} animals are missing in a backup`);
}
