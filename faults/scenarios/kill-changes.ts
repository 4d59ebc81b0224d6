// kill -9 of one of two services on one database, or a restart of PostgreSQL, while clients change and remove animals and others follow the
// feed. Each request must be done completely or not at all. Acknowledged changes must stay, with their entries in the history. Each
// reader of the feed must end with exactly the catalogue.
import { walk } from "../../test/harness/walk.ts";
import { removed } from "../injection/change-steps.ts";
import { type Changers, startChangers } from "../injection/changers.ts";
import { startFeedReaders } from "../injection/feed-reader.ts";
import { findWrongHistories } from "../injection/history.ts";
import { measureMs, toResult } from "../injection/result.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { type Database, makeOperatorKey, openPair } from "../service.ts";

export async function killDuringChanges(
	options: ScenarioOptions,
	{ databaseUrl, server }: Database,
): Promise<Result> {
	const { services, url, stop } = await openPair(options, databaseUrl);
	const key = await makeOperatorKey(databaseUrl);
	const changers = startChangers(16, key, url);
	const readers = startFeedReaders(8, key, url);
	const recoveriesMs: number[] = [];
	let different = 0;
	try {
		for (let round = 1; round <= options.size; round++) {
			await changers.progress();
			await Bun.sleep(50 + Math.random() * 300);
			const killed = services[round % 2];
			if (server && round % 3 === 0) {
				await server.stop("SIGQUIT");
				await Bun.sleep(Math.random() * 100);
				await server.start();
			} else {
				await killed?.kill();
				await killed?.start();
			}
			recoveriesMs.push(await measureMs(changers.progress));
			if (changers.wrong.length + readers.wrong.length > 0) break;
		}
		await changers.stop();
		different = await readers.compare();
	} finally {
		changers.abandon();
		await readers.stop();
	}
	const result = toResult({
		acknowledged: changers.acknowledged(),
		lost: await countUndone(url(), key, changers),
		wrong: [
			...changers.wrong,
			...readers.wrong,
			...(different > 0
				? [`${different} animals differ for readers of the feed`]
				: []),
			...(await findWrongHistories(databaseUrl, changers)),
		],
		recoveriesMs,
	});
	await stop();
	return result;
}

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
