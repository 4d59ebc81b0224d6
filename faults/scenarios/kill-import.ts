// `petstore import` is killed, or its disk becomes full, at a random moment, while a service on the same file accepts adds. It must add all
// animals of the file or none, and a repeated import with the same id adds them once.
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { type Finished, start } from "../../test/harness/process.ts";
import { startWriters } from "../../test/harness/writers.ts";
import { buildShim, type Shim } from "../disk/shim.ts";
import type { ScenarioOptions } from "../injection/inject.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { openService } from "../target/restartable.ts";
import { apiKey } from "../target/target.ts";

export async function killImport(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const { folder, rounds, onRound } = options;
	const service = await openService(options);
	const writers = startWriters(2, apiKey, () => [service.url()], 20);
	const db = new Database(service.path, { readonly: true });
	const shim = buildShim(folder);
	const counts: Counts = { interrupted: 0, lost: 0, doubled: 0, wrong: [] };
	const recoveriesMs: number[] = [];
	let usualMs = 0;
	// Round 0 is undisturbed, to measure how long an import takes.
	for (let round = 0; round <= rounds; round++) {
		const begin = () => beginImport(options, round, service.path, shim);
		const begun = performance.now();
		const first = begin();
		if (round > 0) await disturb(first, round, usualMs, shim);
		judgeFirst(await first.finished, count(db, round), counts);
		shim.switchOff("no-space");
		if (round === 0) usualMs = performance.now() - begun;
		const { status, stderr } = await begin().finished;
		if (status !== 0) counts.wrong.push(`a repeated import failed: ${stderr}`);
		const found = count(db, round);
		counts.lost += Math.max(0, animals - found);
		counts.doubled += Math.max(0, found - animals);
		const askedAt = performance.now();
		await writers.progress();
		recoveriesMs.push(performance.now() - askedAt);
		onRound(round);
	}
	await writers.stop();
	const { acknowledged } = writers;
	counts.lost += [...acknowledged].filter((pet) => !isThere(db, pet)).length;
	counts.wrong.push(...writers.wrong);
	db.close();
	await service.stop();
	// A few rounds may all be disturbed too late, if the machine got faster.
	if (rounds > 10 && counts.interrupted === 0)
		counts.wrong.push("no import was interrupted");
	const { interrupted: _, ...found } = counts;
	const all = acknowledged.size + (rounds + 1) * animals;
	return { rounds, ...found, acknowledged: all, recoveriesMs };
}

interface Counts {
	interrupted: number;
	lost: number;
	doubled: number;
	readonly wrong: string[];
}

/** Enough for several parts of the transaction (`importRows`). */
const animals = 30_000;

/** Each round has its own category. The writers use category 1. */
const toCategory = (round: number) => round + 2;

function beginImport(
	{ program, folder }: ScenarioOptions,
	round: number,
	database: string,
	{ env }: Shim,
) {
	const file = `${folder}/${round}.ndjson`;
	const line = `{"name":"animal","categoryId":${toCategory(round)}}\n`;
	writeFileSync(file, line.repeat(animals));
	return start(
		[
			...([program, "import", file, "--import-id", `round-${round}`] as const),
			...["--database", `sqlite:${database}`],
		],
		{ cwd: folder, env: { ...env, TMPDIR: folder } },
	);
}

/** Skips most of the start of the process, in which nothing can go wrong. */
async function disturb(
	importing: ReturnType<typeof start>,
	round: number,
	usualMs: number,
	{ switchOn }: Shim,
): Promise<void> {
	await Bun.sleep(usualMs * (0.3 + 0.75 * Math.random()));
	if (round % 4 === 0) switchOn("no-space");
	else importing.kill("SIGKILL");
}

function judgeFirst(
	{ status, stderr }: Finished,
	found: number,
	counts: Counts,
): void {
	if (status !== 0) counts.interrupted++;
	if (found !== 0 && found !== animals)
		counts.wrong.push(`${found} of ${animals} animals were added`);
	if (status === 0) counts.lost += animals - found;
	if (status === 1 && (found > 0 || !/othing was (add|chang)ed/.test(stderr)))
		counts.wrong.push(`a full disk with ${found} animals added: ${stderr}`);
}

function count(db: Database, round: number): number {
	const row = db
		.query<{ count: number }, [number]>(
			"SELECT count(*) AS count FROM pets WHERE category_id = ?",
		)
		.get(toCategory(round));
	return row?.count ?? 0;
}

function isThere(db: Database, [name, id]: readonly [string, string]): boolean {
	const row = db
		.query<{ name: string }, [string]>("SELECT name FROM pets WHERE id = ?")
		.get(id);
	return row?.name === name;
}
