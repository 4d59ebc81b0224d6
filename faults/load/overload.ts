// Ten times as many connections as the peak needs. The service must keep its rate, answer /healthz, and recover within 5 s.
import { loop } from "../loop.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { openService } from "../service.ts";
import {
	type ClientResults,
	listRequest,
	percentile99,
	quantile,
	runClients,
	successesPerSecond,
} from "./clients.ts";

export async function overload(options: ScenarioOptions): Promise<Result> {
	const service = await openService(options);
	const send = (count: number, seconds = 2) =>
		runClients(service.url(), {
			connections: count,
			seconds,
			next: () => listRequest,
		});
	await send(connections, 1);
	const rounds: Round[] = [];
	for (let round = 0; round < options.size; round++)
		rounds.push(await overloadOnce(service.url(), send));
	await service.stop();
	// Other programs of a busy machine take their part.
	return judge(rounds, options.isBusy ? 0.3 : 0.9);
}

/** At the peak. */
const connections = 64;

interface Round {
	/** Successful replies per second, as the mean of before and after, because other programs may slow down the machine. */
	readonly peak: number;
	readonly overload: ClientResults;
	readonly lost: number;
	/** The slowest reply of /healthz. */
	readonly healthMs: number;
	/** From the end of the overload until the 99th percentile of the reply times is normal. */
	readonly recoveryMs: number;
}

async function overloadOnce(
	url: string,
	send: (connections: number, seconds?: number) => Promise<ClientResults>,
): Promise<Round> {
	const before = await send(connections);
	const endChecks = checkHealth(url);
	const overload = await send(connections * 10);
	const healthMs = await endChecks();
	const ended = performance.now();
	const normalMs = Math.max(2 * percentile99(before), 50);
	while (percentile99(await send(connections, 0.2)) > normalMs)
		if (performance.now() - ended > recoveryTimeoutMs) break;
	const recoveryMs = performance.now() - ended;
	const after = await send(connections);
	const peak = (successesPerSecond(before) + successesPerSecond(after)) / 2;
	const lost = before.lost + overload.lost + after.lost;
	return { peak, overload, lost, healthMs, recoveryMs };
}

const recoveryTimeoutMs = 10_000;

/** Returns what stops it, with the milliseconds of the slowest reply. */
function checkHealth(url: string): () => Promise<number> {
	let slowest = 0;
	const stop = loop(async () => {
		const asked = performance.now();
		const { ok } = await fetch(`${url}/healthz`);
		const ms = ok ? performance.now() - asked : Number.POSITIVE_INFINITY;
		slowest = Math.max(slowest, ms);
		await Bun.sleep(50);
	});
	return async () => {
		await stop();
		return slowest;
	};
}

function judge(rounds: readonly Round[], minShare: number): Result {
	const median = (pick: (round: Round) => number) =>
		quantile(rounds.map(pick), 0.5);
	const peak = median((round) => round.peak);
	const rate = median((round) => successesPerSecond(round.overload));
	const share = median(
		(round) => successesPerSecond(round.overload) / round.peak,
	);
	const healthMs = Math.max(...rounds.map((round) => round.healthMs));
	const recoveryMs = Math.max(...rounds.map((round) => round.recoveryMs));
	const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
	const unexpected = rounds.flatMap(({ overload }) =>
		[...overload.statuses.keys()].filter(
			(status) => !/^20[01]|503$/.test(`${status}`),
		),
	);
	return {
		figures: [
			`${toWhole(peak)}/s at ${connections} connections, ${toWhole(rate)}/s at ${connections * 10} (${(share * 100).toFixed(0)} %)`,
			`\`/healthz\` within ${healthMs.toFixed(0)} ms`,
			`recovered after ${recoveryMs.toFixed(0)} ms`,
		],
		wrong: [
			// Not `<`, because the share is NaN if the peak is 0.
			...(share >= minShare
				? []
				: [`the rate was only ${share.toFixed(2)} of the peak`]),
			...(lost > 0 ? [`${lost} connections were lost`] : []),
			...(healthMs > 1_000 ? ["/healthz took longer than 1 s"] : []),
			...(recoveryMs > 5_000 ? ["the service did not recover within 5 s"] : []),
			...unexpected.map((status) => `a reply was ${status}`),
		],
	};
}

function toWhole(count: number): string {
	return Math.round(count).toLocaleString("en");
}
