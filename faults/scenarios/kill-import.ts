// `petstore import --update` is killed, or its disk is full, at a random moment, while a service on the same database accepts adds. All
// lines of the file must be done or none, with exactly their entries in the history. A repeated import with the same id does them once.
import { writeFileSync } from "node:fs";
import type { StoredPet } from "../../src/domain/pet.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { run, start } from "../../test/harness/process.ts";
import { startWriters } from "../../test/harness/writers.ts";
import { buildShim } from "../disk/shim.ts";
import { readHistory } from "../injection/history.ts";
import { readPets } from "../injection/pets.ts";
import { measureMs, toResult } from "../injection/result.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { apiKey, type Database, openService } from "../service.ts";

/** Lines of a file that change animals, with as many that change nothing, and lines that add animals. */
const [changed, added] = [5_000, 2_000];
/** The writers use category 1. */
const categoryId = 2n;

export async function killImport(
	options: ScenarioOptions,
	{ databaseUrl, server }: Database,
): Promise<Result> {
	const { folder, program, size } = options;
	const service = await openService(options, { databaseUrl });
	const shim = server === undefined ? buildShim(folder) : undefined;
	const wrong: string[] = [];
	const recoveriesMs: number[] = [];
	const env = { PETSTORE_DATABASE: databaseUrl, ...shim?.env, TMPDIR: folder };
	const first = `${folder}/first.ndjson`;
	writeFileSync(first, toLine({ name: "same" }).repeat(2 * changed));
	await run(["import", first], { cwd: folder, env, program });
	const reader = await openStore(databaseUrl, { access: "read" });
	const ids = (await readPets(reader, { categoryId })).map(({ id }) => id);
	const writers = startWriters(2, apiKey, service.url, 20);
	let interrupted = 0;
	let usualMs = 0;
	// Round 0 is undisturbed, to measure how long an import takes.
	for (let round = 0; round <= size && wrong.length === 0; round++) {
		const file = `${folder}/update.ndjson`;
		writeFileSync(file, toFile(ids, round));
		const begin = () =>
			start(
				[program, "import", file, "--update", "--import-id", toName(round)],
				{ cwd: folder, env },
			);
		if (round > 0) {
			const fills = shim !== undefined && round % 4 === 0;
			const importing = begin();
			// Nothing can go wrong in most of the start of the process.
			await Bun.sleep(usualMs * (0.3 + 0.75 * Math.random()));
			if (fills) shim.switchOn("no-space");
			else importing.kill("SIGKILL");
			const { status, stderr } = await importing.finished;
			shim?.switchOff("no-space");
			// PostgreSQL may still commit. An add waits for the end of that transaction.
			recoveriesMs.push(await measureMs(writers.progress));
			const isDone = await judge(reader, round, wrong);
			if (!isDone) interrupted++;
			if (status === 0 && !isDone) wrong.push("a finished import did nothing");
			// A commit that fails may say that it is not known.
			const saysNothing = /othing was (add|chang|import)ed/.test(stderr);
			if (status === 1 && (saysNothing ? isDone : !/not known/.test(stderr)))
				wrong.push(`a full disk: ${stderr}`);
		}
		const begun = performance.now();
		const { status, stderr } = await begin().finished;
		// Only if the first import was not done.
		if (/^Added/m.test(stderr)) usualMs = performance.now() - begun;
		if (status !== 0) wrong.push(`a repeated import failed: ${stderr}`);
		if (!(await judge(reader, round, wrong)))
			wrong.push("a repeated import did nothing");
	}
	await writers.stop();
	const { acknowledged } = writers;
	const found = new Map(
		(await readPets(reader, { categoryId: 1n })).map(({ id, name }) => [
			name,
			`${id}`,
		]),
	);
	const { findings } = await reader.check();
	await reader.close();
	await service.stop();
	if (size > 10 && interrupted === 0)
		wrong.push("no import was interrupted before its commit");
	return toResult({
		acknowledged: acknowledged.size + recoveriesMs.length * (changed + added),
		lost: [...acknowledged].filter(([name, id]) => found.get(name) !== id)
			.length,
		doubled: found.size - acknowledged.size,
		wrong: [...wrong, ...writers.wrong, ...findings],
		recoveriesMs,
	});
}

/** The name of a round's import, and of the animals that it changes. */
const toName = (round: number) => (round < 0 ? "same" : `round-${round}`);

function toFile(ids: readonly bigint[], round: number): string {
	const lines = ids.map((id, index) =>
		toLine({ id, name: index < changed ? toName(round) : "same" }),
	);
	return lines.join("") + toLine({ name: "added" }).repeat(added);
}

function toLine({ id, name }: { id?: bigint; name: string }): string {
	const start = id === undefined ? "" : `"id":${id},`;
	return `{${start}"name":"${name}","categoryId":${categoryId}}\n`;
}

/** Returns whether the import of the round is done. Catalogue and history must both have all of it or nothing. */
async function judge(
	reader: Store,
	round: number,
	wrong: string[],
): Promise<boolean> {
	const found = countNames(await readPets(reader, { categoryId }));
	const isDone = Bun.deepEquals(found, toNames(round));
	if (!isDone && !Bun.deepEquals(found, toNames(round - 1)))
		wrong.push(`round ${round} left ${JSON.stringify(found)}`);
	const { entries, right } = await countEntries(reader, round);
	const expected = isDone ? changed : 0;
	if (entries !== expected || right !== expected)
		wrong.push(
			`round ${round} left ${right} right ones of ${entries} entries in the history, not ${expected}`,
		);
	return isDone;
}

function countNames(pets: readonly StoredPet[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { name } of pets) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

/** The number of animals by name after a round. */
function toNames(round: number): Record<string, number> {
	return round < 0
		? { same: 2 * changed }
		: { same: changed, [toName(round)]: changed, added: (round + 1) * added };
}

/** Counts the entries since the previous import, and the animals that this import has changed correctly. */
async function countEntries(
	reader: Store,
	round: number,
): Promise<{ entries: number; right: number }> {
	let entries = 0;
	const right = new Set<bigint>();
	for await (const { petId, before, pet } of readHistory(reader)) {
		if (pet?.name === toName(round - 1)) break;
		entries++;
		const names = [before?.name, pet?.name];
		const expected = [toName(round - 1), toName(round)];
		if (Bun.deepEquals(names, expected)) right.add(petId);
	}
	return { entries, right: right.size };
}
