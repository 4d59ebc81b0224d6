// kill -9 of a service while clients change and remove animals. Each request must be done completely or not at all. Acknowledged changes
// must stay, with their entries in the history.
import { startPostgres } from "../../test/harness/postgres/server.ts";
import { walk } from "../../test/harness/walk.ts";
import { removed } from "../injection/change-steps.ts";
import { type Changers, startChangers } from "../injection/changers.ts";
import { findWrongHistories } from "../injection/history.ts";
import type { ScenarioOptions } from "../injection/inject.ts";
import { makeOperatorKey } from "../injection/operator-key.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { startCopy, stopCopies } from "../target/copies.ts";
import { openService } from "../target/restartable.ts";

export async function killDuringChanges(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const service = await openService(options);
	const result = await killRepeatedly(options, {
		databaseUrl: `sqlite:${service.path}`,
		urls: () => [service.url()],
		kill: service.kill,
		start: service.start,
	});
	await service.stop();
	return result;
}

/** Kills one of two copies of the service. */
export async function killCopyDuringChanges(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const server = await startPostgres(["max_connections=20"]);
	try {
		const start = () => startCopy(options, server.url);
		const copies = [await start(), await start()];
		const result = await killRepeatedly(options, {
			databaseUrl: server.url,
			urls: () => copies.map(({ url }) => url),
			async kill() {
				const copy = copies.shift();
				copy?.kill("SIGKILL");
				await copy?.finished;
			},
			async start() {
				copies.push(await start());
			},
		});
		await stopCopies(copies);
		return result;
	} finally {
		await server.remove();
	}
}

interface Deployment {
	readonly databaseUrl: string;
	readonly urls: () => readonly string[];
	readonly kill: () => Promise<void>;
	readonly start: () => Promise<void>;
}

async function killRepeatedly(
	{ rounds, onRound }: ScenarioOptions,
	{ databaseUrl, urls, kill, start }: Deployment,
): Promise<ScenarioResult> {
	const key = await makeOperatorKey(databaseUrl);
	const changers = startChangers(clients, key, urls);
	const recoveriesMs: number[] = [];
	try {
		for (let round = 1; round <= rounds; round++) {
			await changers.progress();
			await Bun.sleep(50 + Math.random() * 200);
			await kill();
			const killedAt = performance.now();
			const recovered = changers
				.progress()
				.then(() => performance.now() - killedAt);
			await start();
			recoveriesMs.push(await recovered);
			onRound(round);
			if (changers.wrong.length > 0) break;
		}
		await changers.stop();
	} finally {
		changers.abandon();
	}
	const [url = ""] = urls();
	return {
		rounds: recoveriesMs.length,
		acknowledged: changers.acknowledged(),
		lost: await countUndone(url, key, changers),
		doubled: 0,
		wrong: [
			...changers.wrong,
			...(await findWrongHistories(databaseUrl, changers)),
		],
		recoveriesMs,
	};
}

const clients = 16;

/** Animals without the name of their last acknowledged change, or that exist although they were removed. */
async function countUndone(
	url: string,
	key: string,
	{ expected }: Changers,
): Promise<number> {
	const names = new Map(
		(await walk(url, key)).map(([name, id]) => [id, name] as const),
	);
	return [...expected].filter(
		([id, name]) => (names.get(id) ?? removed) !== name,
	).length;
}
