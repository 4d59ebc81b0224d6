// Kills services and PostgreSQL while clients add, change and remove animals and others follow the feed. Each reader must end with exactly
// the catalogue.
import { startPostgres } from "../../test/harness/postgres/server.ts";
import { startChangers } from "../injection/changers.ts";
import { startFeedReaders } from "../injection/feed-reader.ts";
import type { ScenarioOptions } from "../injection/inject.ts";
import { makeOperatorKey } from "../injection/operator-key.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { type Copy, startCopy, stopCopies } from "../target/copies.ts";

/** Kills one of two processes on one SQLite file. */
export async function followOnSqlite(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const databaseUrl = `sqlite:${options.folder}/petstore.db`;
	const copies = await startCopies(options, databaseUrl);
	const result = await breakRepeatedly(options, databaseUrl, copies, () =>
		replaceOne(options, databaseUrl, copies),
	);
	await stopCopies(copies);
	return result;
}

/** Kills one of two copies of the service, or PostgreSQL. */
export async function followOnPostgres(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const server = await startPostgres(["max_connections=20"]);
	try {
		const { url } = server;
		const copies = await startCopies(options, url);
		let round = 0;
		const result = await breakRepeatedly(options, url, copies, async () => {
			if (round++ % 2 === 0) return replaceOne(options, url, copies);
			await server.stop("SIGQUIT");
			await Bun.sleep(Math.random() * 100);
			await server.start();
		});
		await stopCopies(copies);
		return result;
	} finally {
		await server.remove();
	}
}

async function startCopies(
	options: ScenarioOptions,
	databaseUrl: string,
): Promise<Copy[]> {
	return [
		await startCopy(options, databaseUrl),
		await startCopy(options, databaseUrl),
	];
}

async function replaceOne(
	options: ScenarioOptions,
	databaseUrl: string,
	copies: Copy[],
): Promise<void> {
	const copy = copies.shift();
	copy?.kill("SIGKILL");
	await copy?.finished;
	copies.push(await startCopy(options, databaseUrl));
}

async function breakRepeatedly(
	{ rounds, onRound }: ScenarioOptions,
	databaseUrl: string,
	copies: readonly Copy[],
	breakOne: () => Promise<void>,
): Promise<ScenarioResult> {
	const key = await makeOperatorKey(databaseUrl);
	const urls = () => copies.map(({ url }) => url);
	const changers = startChangers(writers, key, urls);
	const followers = startFeedReaders(readers, key, urls);
	const recoveriesMs: number[] = [];
	let lost = 0;
	try {
		for (let round = 1; round <= rounds; round++) {
			await changers.progress();
			await Bun.sleep(50 + Math.random() * 500);
			await breakOne();
			const brokenAt = performance.now();
			await changers.progress();
			recoveriesMs.push(performance.now() - brokenAt);
			onRound(round);
			if (changers.wrong.length + followers.wrong.length > 0) break;
		}
		await changers.stop();
		lost = await followers.compare();
	} finally {
		changers.abandon();
		await followers.stop();
	}
	return {
		rounds: recoveriesMs.length,
		acknowledged: changers.acknowledged(),
		lost,
		doubled: 0,
		wrong: [...changers.wrong, ...followers.wrong],
		recoveriesMs,
	};
}

const writers = 16;
const readers = 8;
