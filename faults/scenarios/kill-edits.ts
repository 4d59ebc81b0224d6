// kill -9 of a service while it changes or removes all animals that match a filter, or undoes that. All of it must be done or nothing, and
// the edit must say which.
import { maxInt64 } from "../../src/domain/json.ts";
import { callOperator } from "../injection/change-requests.ts";
import { createFilled } from "../injection/pets.ts";
import { toResult } from "../injection/result.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import {
	type Database,
	makeOperatorKey,
	openService,
	type Service,
} from "../service.ts";

const animals = 10_000;
/** Matches no filter of the scenario. */
const other = { name: "Max", categoryId: 1, status: "pending" };

export async function killDuringEdits(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const store = await createFilled(databaseUrl, animals);
	const service = await openService(options, { databaseUrl });
	const key = await makeOperatorKey(databaseUrl);
	const wrong: string[] = [];
	const recoveriesMs: number[] = [];
	const usualMs = { batch: 200, undo: 200 };
	let interrupted = 0;

	/** Kills the service during the request, then repeats it until it is done. */
	async function perform(
		kind: "batch" | "undo",
		path: string,
		body: object | undefined,
		isDone: () => Promise<boolean>,
	): Promise<void> {
		const killing = Bun.sleep(Math.random() * 1.2 * usualMs[kind]).then(
			service.kill,
		);
		const status = await send(service, key, path, body);
		await killing;
		await service.start();
		const startedAt = performance.now();
		// PostgreSQL may still commit. An add waits for the end of that transaction.
		while ((await send(service, key, "pets", other)) !== 201)
			await Bun.sleep(20);
		recoveriesMs.push(performance.now() - startedAt);
		const wasDone = await isDone();
		if (!wasDone) interrupted++;
		if (status === 200 && !wasDone)
			wrong.push(`an acknowledged ${kind} was lost`);
		if (wasDone) return;
		const begun = performance.now();
		const repeated = await send(service, key, path, body);
		usualMs[kind] = performance.now() - begun;
		if (repeated !== 200 || !(await isDone()))
			wrong.push(`a repeated ${kind} was answered ${repeated}`);
	}

	/** The number of animals for sale must be all or none. */
	async function hasAvailable(): Promise<boolean> {
		const counts = await store.catalogue.readCounts();
		const left = counts.find(({ status }) => status === "available");
		const found = Number(left?.pets ?? 0);
		if (found !== 0 && found !== animals)
			wrong.push(`${found} of ${animals} animals are as before`);
		return found === animals;
	}

	for (let round = 1; round <= options.size && wrong.length === 0; round++) {
		const change =
			round % 2 === 0 ? { remove: true } : { set: { status: "sold" } };
		const all = {
			filter: { status: "available" },
			expected: animals,
			...change,
		};
		await perform(
			"batch",
			"pets/batch",
			all,
			async () => !(await hasAvailable()),
		);
		const [edit] = await store.edits.list(maxInt64, 1);
		await perform("undo", `edits/${edit?.id}/undo`, undefined, async () => {
			const isBack = await hasAvailable();
			const found = await store.edits.find(edit?.id ?? 0n);
			if ((found?.undoneBy !== undefined) !== isBack)
				wrong.push("an edit does not say whether it was undone");
			return isBack;
		});
	}
	const { findings } = await store.check();
	wrong.push(...findings);
	await store.close();
	await service.stop();
	if (options.size > 10 && interrupted === 0)
		wrong.push("no request was interrupted before its commit");
	const acknowledged = recoveriesMs.length;
	return toResult({ acknowledged, lost: 0, wrong, recoveriesMs });
}

/** Undefined if the connection was refused or closed. */
function send(
	{ url }: Service,
	key: string,
	path: string,
	body?: object,
): Promise<number | undefined> {
	return callOperator(url(), key, "POST", path, body).catch(() => undefined);
}
