// `petstore restore --replace` is killed, or its disk is full, while a service uses the database and clients add animals. The database must
// be as before or as the backup. It, or the backup that the restore makes first, must have each acknowledged animal.
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { readBackupName } from "../../src/backups/folder.ts";
import { openStore } from "../../src/store/store.ts";
import { run, start } from "../../test/harness/process.ts";
import { startWriters, type Writers } from "../../test/harness/writers.ts";
import { buildShim } from "../disk/shim.ts";
import { createFilled, readPets } from "../injection/pets.ts";
import { measureMs, toResult } from "../injection/result.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { apiKey, fileIn, openService } from "../service.ts";

export async function killRestore(options: ScenarioOptions): Promise<Result> {
	const { folder, program, size } = options;
	const shim = buildShim(folder);
	mkdirSync(`${folder}/before`);
	for (const name of bases) {
		const url = `sqlite:${folder}/${name}.db`;
		await (await createFilled(url, baseAnimals, { name })).close();
	}
	const service = await openService(options);
	const url = `sqlite:${fileIn(options)}`;
	const wrong: string[] = [];
	const recoveriesMs: number[] = [];
	let [acknowledged, lost, usualMs] = [0, 0, 600];
	const restore = (base: string) => [
		...["restore", `${folder}/${base}.db`, "--replace", "--yes"],
		...["--database", url, "--folder", `${folder}/before`],
	];
	await run(restore("a"), { program, cwd: folder });
	// The backup of the empty database.
	for (const name of readdirSync(`${folder}/before`))
		rmSync(`${folder}/before/${name}`);
	for (let round = 1; round <= size && wrong.length === 0; round++) {
		const writers = startWriters(4, apiKey, service.url, 5);
		await writers.progress();
		const base = bases[round % 2] ?? "a";
		if (round % 4 === 0) {
			shim.switchOn("no-space");
			await run(restore(base), { program, cwd: folder, env: shim.env });
			shim.switchOff("no-space");
		} else {
			const begun = performance.now();
			const running = start([program, ...restore(base)], { cwd: folder });
			const timer = setTimeout(
				() => running.kill("SIGKILL"),
				Math.random() * usualMs * 1.2,
			);
			const { status } = await running.finished;
			clearTimeout(timer);
			if (status === 0) usualMs = performance.now() - begun;
		}
		recoveriesMs.push(await measureMs(writers.progress));
		await writers.stop();
		acknowledged += writers.acknowledged.size;
		lost += await countLost(url, `${folder}/before`, writers, wrong);
		wrong.push(...writers.wrong);
	}
	await service.stop();
	return toResult({ acknowledged, lost, wrong, recoveriesMs });
}

const bases = ["a", "b"];
const baseAnimals = 5_000;

/** Acknowledged animals that are neither in the database nor in the newest backup of its former content. */
async function countLost(
	url: string,
	before: string,
	{ acknowledged }: Writers,
	wrong: string[],
): Promise<number> {
	const found = await readNames(url, wrong);
	// Two backups of one second have the same time in their names.
	const toTime = (name: string) => statSync(`${before}/${name}`).mtimeMs;
	const [newest] = readdirSync(before)
		.filter((name) => readBackupName(name) !== undefined)
		.sort((one, other) => toTime(other) - toTime(one));
	const saved =
		newest === undefined
			? new Set<string>()
			: await readNames(`sqlite:${before}/${newest}`, wrong);
	return [...acknowledged.keys()].filter(
		(name) => !found.has(name) && !saved.has(name),
	).length;
}

/** The database must have all animals of exactly one of the two backups. */
async function readNames(url: string, wrong: string[]): Promise<Set<string>> {
	const reader = await openStore(url, { access: "read" });
	const names = new Map<string, number>();
	const { findings } = await reader.check();
	if (findings.length > 0)
		wrong.push(`the database is damaged: ${findings[0]}`);
	for (const { name } of await readPets(reader))
		names.set(name, (names.get(name) ?? 0) + 1);
	await reader.close();
	const counts = bases.map((base) => names.get(base) ?? 0).sort();
	if (counts[0] !== 0 || counts[1] !== baseAnimals)
		wrong.push(`the database has ${counts} animals of the two backups`);
	return new Set(names.keys());
}
