// `petstore backup` and `petstore restore --replace` are killed, or their disk is full, while clients use the service. A file with the name
// of a backup must be complete. A restore must be done or not, and the backup that it makes first has what it replaces.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { readBackupName } from "../../src/backups/folder.ts";
import { openStore } from "../../src/store/store.ts";
import { toCommand } from "../command.ts";
import { findDamage, inject, type Moment } from "../inject.ts";
import { createFilled, readPets } from "../pets.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import type { Database } from "../service.ts";

/** The next backup must work, and remove partial files. */
export async function killBackup(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const folder = makeFolder(`${options.folder}/backups`);
	const command = toCommand(options);
	const args = [
		...["backup", "--keep", "2", "--folder", folder, "--json"],
		...["--database", databaseUrl],
	];

	async function backUp({ witnesses, wrong, verify }: Moment): Promise<void> {
		const before = witnesses.learned();
		const { status, stdout, stderr } = await command.finish(args);
		if (status === 0)
			await verify([`sqlite:${JSON.parse(stdout).path}`], before);
		else wrong.push(`the backup after a killed one failed: ${stderr}`);
	}

	async function fault(moment: Moment): Promise<void> {
		const { round, wrong } = moment;
		if (round === 1) await backUp(moment);
		const before = readdirSync(folder);
		const { status, stderr } = await command.interrupt(args, round);
		if (status === 1 && !stderr.includes("cannot be made"))
			wrong.push(`a backup on a full disk: ${stderr}`);
		const left = readdirSync(folder);
		if (status === 1 && left.length > before.length)
			wrong.push(`a backup on a full disk left ${left.join(", ")}`);
		await moment.recover();
		for (const file of backupsIn(folder))
			wrong.push(
				...(await findDamage(`sqlite:${file}`).catch((error) => [
					`${file} cannot be read: ${error}`,
				])),
			);
		if (wrong.length === 0) await backUp(moment);
	}

	return inject(options, { databaseUrl, faults: [fault] });
}

export async function killRestore(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const folder = makeFolder(`${options.folder}/before`);
	const toUrl = (base: string) => `sqlite:${options.folder}/${base}.db`;
	for (const name of bases)
		await (await createFilled(toUrl(name), baseAnimals, { name })).close();
	const command = toCommand(options);
	const restore = (base: string) => [
		...["restore", toUrl(base).slice(7), "--replace", "--yes"],
		...["--database", databaseUrl, "--folder", folder],
	];

	// So that no client adds an id of these animals.
	await (await openStore(databaseUrl, { access: "create" })).close();
	await command.finish(restore("a"));

	async function fault({ round, recover, verify, witnesses, wrong }: Moment) {
		const args = restore(bases[round % 2] ?? "a");
		// The first one must be done, so that readers of the feed begin again.
		if (round === 1) await command.finish(args);
		else await command.interrupt(args, round);
		await recover();
		const [newest = ""] = backupsIn(folder);
		wrong.push(...(await findDamage(`sqlite:${newest}`)));
		wrong.push(...(await findMixture(databaseUrl)));
		await verify([databaseUrl, `sqlite:${newest}`]);
		witnesses.forget();
	}

	return inject(options, { databaseUrl, faults: [fault], beginsEpochs: true });
}

const bases = ["b", "a"];
const baseAnimals = 5_000;

/** The database must have all animals of exactly one of the two backups. */
async function findMixture(url: string): Promise<readonly string[]> {
	const store = await openStore(url, { access: "read" });
	const names = (await readPets(store)).map(({ name }) => name);
	await store.close();
	const counts = bases.map((base) => names.filter((one) => one === base));
	const lengths = counts.map(({ length }) => length).sort();
	return Bun.deepEquals(lengths, [0, baseAnimals])
		? []
		: [`the database has ${lengths} animals of the two backups`];
}

function makeFolder(path: string): string {
	mkdirSync(path);
	return path;
}

/** Newest first. Two of one second have the same time in their names. */
function backupsIn(folder: string): readonly string[] {
	const toTime = (file: string) => statSync(file).mtimeMs;
	return readdirSync(folder)
		.filter((name) => readBackupName(name) !== undefined)
		.map((name) => `${folder}/${name}`)
		.sort((one, other) => toTime(other) - toTime(one));
}
