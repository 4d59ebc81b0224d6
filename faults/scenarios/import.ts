// `petstore import --update` is killed, or its disk is full, at a random moment, while a service on the same database accepts adds. All
// lines of the file must be done or none, with exactly their entries in the history. A repeated import with the same id does them once.
import { writeFileSync } from "node:fs";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { toCommand } from "../command.ts";
import { inject, type Moment } from "../inject.ts";
import { ownCategory as categoryId, readPets } from "../pets.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import type { Database } from "../service.ts";

/** Lines of a file that change animals, with as many that change nothing, and lines that add animals. */
const [changed, added] = [2_000, 800];

export async function killImport(
	options: ScenarioOptions,
	{ databaseUrl, server }: Database,
): Promise<Result> {
	const command = toCommand(options, { fillsDisk: server === undefined });
	const file = `${options.folder}/update.ndjson`;
	const toArgs = (...more: readonly string[]) => [
		...["import", file, "--database", databaseUrl, ...more],
	];
	await (await openStore(databaseUrl, { access: "create" })).close();
	writeFileSync(file, toLine({ name: "same" }).repeat(2 * changed));
	await command.finish(toArgs());
	const reader = await openStore(databaseUrl, { access: "read" });
	const ids = (await readPets(reader, { categoryId })).map(({ id }) => id);
	let interrupted = 0;

	async function fault({ round, recover, wrong }: Moment): Promise<void> {
		writeFileSync(file, toFile(ids, round));
		const args = toArgs("--update", "--import-id", toName(round));
		const { status, stderr } = await command.interrupt(args, round);
		// PostgreSQL may still commit. An add waits for the end of that transaction.
		await recover();
		const isDone = await judge(reader, ids, round, wrong);
		if (!isDone) interrupted++;
		if (status === 0 && !isDone) wrong.push("a finished import did nothing");
		// A commit that fails may say that it is not known.
		const saysNothing = /othing was (add|chang|import)ed/.test(stderr);
		if (status === 1 && (saysNothing ? isDone : !/not known/.test(stderr)))
			wrong.push(`a full disk: ${stderr}`);
		const repeated = await command.finish(args);
		if (repeated.status !== 0)
			wrong.push(`a repeated import failed: ${repeated.stderr}`);
		if (!(await judge(reader, ids, round, wrong)))
			wrong.push("a repeated import did nothing");
		if (round === options.size && round > 10 && interrupted === 0)
			wrong.push("no import was interrupted before its commit");
	}

	return inject(options, { databaseUrl, faults: [fault] }).finally(
		reader.close,
	);
}

/** The name of a round's import, and of the animals that it changes. */
const toName = (round: number) => (round < 1 ? "same" : `round-${round}`);

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
	ids: readonly bigint[],
	round: number,
	wrong: string[],
): Promise<boolean> {
	const found: Record<string, number> = {};
	for (const { name } of await readPets(reader, { categoryId }))
		found[name] = (found[name] ?? 0) + 1;
	const isDone = Bun.deepEquals(found, toNames(round));
	if (!isDone && !Bun.deepEquals(found, toNames(round - 1)))
		wrong.push(`round ${round} left ${JSON.stringify(found)}`);
	const { entries, right } = await countEntries(reader, new Set(ids), round);
	const expected = isDone ? changed : 0;
	if (entries !== expected || right !== expected)
		wrong.push(
			`round ${round} left ${right} right ones of ${entries} entries in the history, not ${expected}`,
		);
	return isDone;
}

/** The number of animals by name after a round. */
function toNames(round: number): Record<string, number> {
	return round < 1
		? { same: 2 * changed }
		: { same: changed, [toName(round)]: changed, added: round * added };
}

/** Counts the entries since the previous import, and the animals that this import has changed correctly. */
async function countEntries(
	{ history }: Store,
	ids: ReadonlySet<bigint>,
	round: number,
): Promise<{ entries: number; right: number }> {
	let entries = 0;
	const right = new Set<bigint>();
	for (let maxPosition = maxInt64; ; ) {
		const page = await history.readAll({ maxPosition, limit: 1_000 });
		for (const { petId, before, pet } of page.entries) {
			if (!ids.has(petId)) continue;
			if (pet?.name === toName(round - 1))
				return { entries, right: right.size };
			entries++;
			const names = [before?.name, pet?.name];
			const expected = [toName(round - 1), toName(round)];
			if (Bun.deepEquals(names, expected)) right.add(petId);
		}
		if (page.next === undefined) return { entries, right: right.size };
		maxPosition = page.next - 1n;
	}
}
