// kill -9 of a service while it changes or removes all animals that match a filter, or undoes that. All of it must be done or nothing, and
// the edit must say which.
import { maxInt64 } from "../../src/domain/types/json.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { inject, type Moment } from "../inject.ts";
import { createFilled, ownCategory } from "../pets.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import type { Database } from "../service.ts";

const animals = 4_000;

export async function killDuringEdits(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const pet = { categoryId: ownCategory };
	await (await createFilled(databaseUrl, animals, pet)).close();
	const usualMs = { batch: 200, undo: 200 };
	let interrupted = 0;

	/** Kills the service during the request, then repeats it until it is done. */
	async function perform(
		moment: Moment,
		kind: "batch" | "undo",
		send: () => Promise<number | undefined>,
		isDone: (store: Store) => Promise<boolean>,
	): Promise<void> {
		const { copies, recover, wrong } = moment;
		const killing = Bun.sleep(Math.random() * 1.2 * usualMs[kind]).then(
			copies[0]?.kill,
		);
		const status = await send();
		await killing;
		await copies[0]?.start();
		// PostgreSQL may still commit. An add waits for the end of that transaction.
		await recover();
		const look = async () => isDone(await store);
		const store = openStore(databaseUrl, { access: "read" });
		const wasDone = await look();
		if (status === 200 && !wasDone)
			wrong.push(`an acknowledged ${kind} was lost`);
		if (!wasDone) {
			interrupted++;
			const begun = performance.now();
			const repeated = await send();
			usualMs[kind] = performance.now() - begun;
			if (repeated !== 200 || !(await look()))
				wrong.push(`a repeated ${kind} was answered ${repeated}`);
		}
		await (await store).close();
	}

	async function fault(moment: Moment): Promise<void> {
		const { round, wrong } = moment;
		/** The animals must be all as before, or none. */
		async function isAsBefore({ catalogue }: Store): Promise<boolean> {
			const { available: found } = await catalogue.readTotals(ownCategory);
			if (found !== 0 && found !== animals)
				wrong.push(`${found} of ${animals} animals are as before`);
			return found === animals;
		}
		const change =
			round % 2 === 0 ? { remove: true } : { set: { status: "sold" } };
		const filter = { categoryId: Number(ownCategory), status: "available" };
		const all = { filter, expected: animals, ...change };
		await perform(
			moment,
			"batch",
			() => send(moment, "pets/batch", all),
			async (store) => !(await isAsBefore(store)),
		);
		const id = await findEdit(databaseUrl);
		await perform(
			moment,
			"undo",
			() => send(moment, `edits/${id}/undo`),
			async (store) => {
				const isBack = await isAsBefore(store);
				const found = await store.edits.find(id);
				if ((found?.undoneBy !== undefined) !== isBack)
					wrong.push("an edit does not say whether it was undone");
				return isBack;
			},
		);
		if (round === options.size && round > 10 && interrupted === 0)
			wrong.push("no request was interrupted before its commit");
	}

	return inject(options, { databaseUrl, faults: [fault], killsService: true });
}

/** The newest edit of all animals. */
async function findEdit(databaseUrl: string): Promise<bigint> {
	const store = await openStore(databaseUrl, { access: "read" });
	const edits = await store.edits.list(maxInt64, 10_000);
	await store.close();
	const isWhole = ({ changed, removed }: (typeof edits)[number]) =>
		Number(changed) + Number(removed) === animals;
	return edits.find(isWhole)?.id ?? 0n;
}

/** Returns the status, or undefined if the connection was refused or closed. */
function send(
	{ copies, key }: Moment,
	path: string,
	body?: object,
): Promise<number | undefined> {
	const headers = { Authorization: `Bearer ${key}` };
	const sent = body && { body: JSON.stringify(body) };
	return fetch(`${copies[0]?.url()}/operator/v1/${path}`, {
		...{ method: "POST", headers, ...sent },
	}).then(
		({ status }) => status,
		() => undefined,
	);
}
