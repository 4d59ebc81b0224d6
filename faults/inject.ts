// The loop of every scenario in which data may be lost: clients write and read, faults happen, and what the clients learned must stay true.
import { openStore } from "../src/store/store.ts";
import type { Result, ScenarioOptions } from "./scenario.ts";
import { makeOperatorKey, openService, type Service } from "./service.ts";
import {
	type Learned,
	startWitnesses,
	type Witnesses,
} from "./witness/witnesses.ts";

export interface Injection {
	readonly databaseUrl: string;
	/** The same database, which may be that of another server later. */
	readonly currentUrl?: () => string;
	/** Services on it. */
	readonly copies?: number;
	/** Clients that only add. */
	readonly adders?: number;
	/** Added to the variables of the services. */
	readonly env?: Readonly<Record<string, string>>;
	/** One in each round. */
	readonly faults: readonly Fault[];
	/** The faults kill processes of the service. Otherwise every request must get a reply. */
	readonly killsService?: boolean;
	/** Readers of the feed must start again. */
	readonly beginsEpochs?: boolean;
	/** After each recovery. */
	readonly repair?: () => Promise<void>;
}

/** What happens in a round. */
export type Fault = (moment: Moment) => Promise<unknown>;

export interface Moment {
	readonly round: number;
	readonly copies: readonly Service[];
	readonly witnesses: Witnesses;
	/** An operator's. */
	readonly key: string;
	readonly wrong: string[];
	/** Waits for the next acknowledgement. Called after a fault that has not done it. */
	readonly recover: () => Promise<void>;
	/** Each fact must be true in one of the databases. */
	readonly verify: (
		urls: readonly string[],
		learned?: Learned,
	) => Promise<void>;
}

export async function inject(
	options: ScenarioOptions,
	injection: Injection,
): Promise<Result> {
	const { databaseUrl, currentUrl = () => databaseUrl, faults } = injection;
	const { env = {}, killsService = false, beginsEpochs = false } = injection;
	const key = await makeOperatorKey(databaseUrl);
	const copies = await Promise.all(
		Array.from({ length: injection.copies ?? 1 }, () =>
			openService(options, { databaseUrl, env }),
		),
	);
	const witnesses = startWitnesses({
		key,
		urls: copies.map(({ url }) => url),
		adders: injection.adders ?? 6,
		// The service promises 3 seconds.
		maxAnswerMs: options.isBusy ? 10_000 : 3_000,
		killsService,
		beginsEpochs,
	});
	const wrong: string[] = [];
	const recoveriesMs: number[] = [];
	let [lost, gone, doubled] = [0, 0, 0];

	async function recover(): Promise<void> {
		const begun = performance.now();
		await witnesses.recovery();
		recoveriesMs.push(performance.now() - begun);
	}

	async function verify(
		urls: readonly string[],
		learned?: Learned,
	): Promise<void> {
		const found = await witnesses.verify(urls, learned);
		lost += found.lost.length;
		gone += found.gone.length;
		doubled += found.doubled.length;
		const untrue = [...found.lost, ...found.gone, ...found.doubled];
		wrong.push(...found.wrong, ...untrue.map((one) => `not true: ${one}`));
	}

	try {
		const { size } = options;
		for (let round = 1; round <= size && wrong.length === 0; round++) {
			await witnesses.progress();
			await Bun.sleep(Math.random() * 100);
			const before = recoveriesMs.length;
			const moment = { round, copies, witnesses, key, wrong, recover, verify };
			await faults[round % faults.length]?.(moment);
			if (recoveriesMs.length === before) await recover();
			await injection.repair?.();
			// What is learned now may be lost in the next round.
			if (beginsEpochs) await witnesses.progress();
			await verify([currentUrl()]);
			wrong.push(...witnesses.wrong());
		}
		await witnesses.progress();
		await witnesses.finish();
		wrong.push(...witnesses.wrong());
		await verify([currentUrl()]);
		const restarts = witnesses.restarts();
		if (wrong.length === 0 && restarts > 0 !== beginsEpochs)
			wrong.push(`readers of the feed began again ${restarts} times`);
		wrong.push(...(await findDamage(currentUrl())));
		for (const copy of copies) await copy.stop();
	} finally {
		await witnesses.stop();
	}
	const { acknowledged, facts } = witnesses.counts();
	const sorted = recoveriesMs.sort((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
	return {
		figures: [
			`${sorted.length} recoveries, ${acknowledged} acknowledged`,
			`${lost} lost, ${doubled} doubled, ${wrong.length} wrong answers`,
			`${facts} facts seen, ${gone} gone`,
			`recovery ${median.toFixed(0)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
		],
		wrong: acknowledged === 0 ? ["nothing was acknowledged"] : wrong,
	};
}

export async function findDamage(url: string): Promise<readonly string[]> {
	const store = await openStore(url, { access: "read" });
	const { findings } = await store.check().finally(store.close);
	return findings.map((finding) => `${url} is damaged: ${finding}`);
}
