// Ten times as many connections as the peak needs. The service must keep its rate, answer /healthz, and recover within 5 s.
import { loop } from "../loop.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { openService } from "../service.ts";
import { quantile, type Replies, runClients, toList } from "./clients.ts";

export async function overload(options: ScenarioOptions): Promise<Result> {
	const service = await openService(options);
	const next = () => toList("");
	const send: Send = (connections, seconds = 2) =>
		runClients(service.url(), { connections, seconds, next });
	await send(connections, 1);
	const rounds: Round[] = [];
	for (let round = 0; round < options.size; round++)
		rounds.push(await overloadOnce(service.url(), send));
	await service.stop();
	// Other programs of a busy machine take their part.
	return judge(rounds, options.isBusy ? 0.3 : 0.9);
}

type Send = (connections: number, seconds?: number) => Promise<Replies>;
type Round = Awaited<ReturnType<typeof overloadOnce>>;

/** At the peak. */
const connections = 64;

async function overloadOnce(url: string, send: Send) {
	const before = await send(connections);
	let healthMs = 0;
	const endChecks = loop(async () => {
		const asked = performance.now();
		const { ok } = await fetch(`${url}/healthz`);
		const ms = ok ? performance.now() - asked : Number.POSITIVE_INFINITY;
		healthMs = Math.max(healthMs, ms);
		await Bun.sleep(50);
	});
	const overload = await send(connections * 10);
	await endChecks();
	const ended = performance.now();
	const slow = ({ timesMs }: Replies) => quantile(timesMs, 0.99);
	const normalMs = Math.max(2 * slow(before), 50);
	while (slow(await send(connections, 0.2)) > normalMs)
		if (performance.now() - ended > recoveryTimeoutMs) break;
	const recoveryMs = performance.now() - ended;
	const after = await send(connections);
	return {
		/** The mean of before and after, because other programs may slow down the machine. */
		peak: (before.perSecond + after.perSecond) / 2,
		rate: overload.perSecond,
		statuses: [...overload.statuses.keys()],
		lost: before.lost + overload.lost + after.lost,
		healthMs,
		/** Until the 99th percentile of the reply times is normal. */
		recoveryMs,
	};
}

const recoveryTimeoutMs = 10_000;

function judge(rounds: readonly Round[], minShare: number): Result {
	const median = (pick: (round: Round) => number) =>
		quantile(rounds.map(pick), 0.5).toFixed(2);
	const most = (pick: (round: Round) => number) =>
		Math.max(...rounds.map(pick)).toFixed(0);
	const share = median(({ rate, peak }) => rate / peak);
	const healthMs = most((round) => round.healthMs);
	const recoveryMs = most((round) => round.recoveryMs);
	const lost = most((round) => round.lost);
	const unexpected = rounds
		.flatMap(({ statuses }) => statuses)
		.filter((status) => ![200, 503].includes(status));
	return {
		figures: [
			`${median(({ peak }) => peak)}/s at ${connections} connections, ${median(({ rate }) => rate)}/s at ${connections * 10} (${share} of it)`,
			`\`/healthz\` within ${healthMs} ms`,
			`recovered after ${recoveryMs} ms`,
		],
		wrong: [
			// Not `<`, because the share is NaN if the peak is 0.
			...(Number(share) >= minShare
				? []
				: [`the rate was only ${share} of the peak`]),
			...(Number(lost) > 0 ? [`${lost} connections were lost`] : []),
			...(Number(healthMs) > 1_000 ? ["/healthz took longer than 1 s"] : []),
			...(Number(recoveryMs) > 5_000 ? ["it did not recover within 5 s"] : []),
			...unexpected.map((status) => `a reply was ${status}`),
		],
	};
}
