// Ten times the connections that give the peak: as much is done, health is answered, and it is over within 5 s.
import { accessSync, constants, writeFileSync } from "node:fs";
import { type Running, serve } from "../harness/process.ts";
import {
	addRequest,
	type Crowd,
	listRequest,
	percentile99,
	sendCrowd,
	usefulWork,
} from "./crowd.ts";
import { type Bearing, quantile, type StrainSetting } from "./strain.ts";
import { apiKey } from "./trial.ts";

export function overloadConnections(setting: StrainSetting): Promise<Bearing> {
	return overload(setting, setting.program, () => listRequest, 64);
}

/** Every sync takes 5 ms longer, so a trip takes as many riders as there are. */
export function overloadSlowStore(setting: StrainSetting): Promise<Bearing> {
	const program = `${setting.folder}/slow`;
	const slow =
		"-e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_exit=5000";
	writeFileSync(
		program,
		`#!/bin/sh\nexec strace -D -f --seccomp-bpf -o /dev/null ${slow} ${setting.program} "$@"\n`,
		{ mode: 0o755 },
	);
	// Ten thousand sockets for the record; for the one round of a test, as many as every machine allows.
	const connections = setting.size > 1 ? 1_024 : 256;
	return overload(setting, program, () => addRequest("Rex"), connections);
}

export function whyNoStrace(): string | undefined {
	try {
		accessSync("/usr/bin/strace", constants.X_OK);
		return undefined;
	} catch {
		return "there is no strace";
	}
}

async function overload(
	{ folder, size, leastShare }: StrainSetting,
	program: string,
	next: () => string,
	connections: number,
): Promise<Bearing> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { API_KEY: apiKey },
	});
	const send = (count: number, seconds = 2) =>
		sendCrowd(service.url, { connections: count, seconds, next });
	await send(connections, 1);
	const rounds: Round[] = [];
	for (let round = 0; round < size; round++)
		rounds.push(await floodOnce(service, send, connections));
	service.kill("SIGTERM");
	await service.finished;
	return judge(rounds, connections, leastShare);
}

interface Round {
	/** Useful work a second, the mean of before and after the flood: whatever else the machine does falls on all three. */
	readonly peak: number;
	readonly flood: Crowd;
	/** Connections that ended without a reply. */
	readonly lost: number;
	/** Milliseconds for an answer of /healthz, the longest. */
	readonly healthMs: number;
	/** From the end of the flood until the 99th percentile is as before. */
	readonly recoveryMs: number;
}

async function floodOnce(
	{ url }: Running & { url: string },
	send: (connections: number, seconds?: number) => Promise<Crowd>,
	connections: number,
): Promise<Round> {
	const before = await send(connections);
	const checks = checkHealth(url);
	const flood = await send(connections * 10);
	const healthMs = await checks.stop();
	const ended = performance.now();
	const usual = Math.max(2 * percentile99(before), 50);
	while (percentile99(await send(connections, 0.2)) > usual)
		if (performance.now() - ended > patienceMs) break;
	const recoveryMs = performance.now() - ended;
	const after = await send(connections);
	const peak = (usefulWork(before) + usefulWork(after)) / 2;
	const lost = before.lost + flood.lost + after.lost;
	return { peak, flood, lost, healthMs, recoveryMs };
}

const patienceMs = 10_000;

function checkHealth(url: string): { stop: () => Promise<number> } {
	let running = true;
	let longest = 0;
	const checking = (async () => {
		while (running) {
			const asked = performance.now();
			const { ok } = await fetch(`${url}/healthz`);
			longest = Math.max(
				longest,
				ok ? performance.now() - asked : Number.POSITIVE_INFINITY,
			);
			await Bun.sleep(50);
		}
	})();
	return {
		async stop() {
			running = false;
			await checking;
			return longest;
		},
	};
}

function judge(
	rounds: readonly Round[],
	connections: number,
	leastShare: number,
): Bearing {
	const median = (pick: (round: Round) => number) =>
		quantile(rounds.map(pick), 0.5);
	const peak = median((round) => round.peak);
	const flood = median((round) => usefulWork(round.flood));
	const share = median((round) => usefulWork(round.flood) / round.peak);
	const healthMs = Math.max(...rounds.map((round) => round.healthMs));
	const recoveryMs = Math.max(...rounds.map((round) => round.recoveryMs));
	const lost = rounds.reduce((sum, round) => sum + round.lost, 0);
	const odd = rounds.flatMap(({ flood }) =>
		[...flood.statuses.keys()].filter(
			(status) => !/^20[01]|503$/.test(`${status}`),
		),
	);
	return {
		figures: [
			`${toThousands(peak)}/s at ${connections} connections, ${toThousands(flood)}/s at ${connections * 10} (${(share * 100).toFixed(0)} %)`,
			`health within ${healthMs.toFixed(0)} ms`,
			`as before after ${recoveryMs.toFixed(0)} ms`,
		],
		wrong: [
			// Of nothing, it is no number.
			...(share >= leastShare ? [] : [`only ${share.toFixed(2)} of the peak`]),
			...(lost > 0 ? [`${lost} connections were lost`] : []),
			...(healthMs > 1_000 ? ["health was not answered in time"] : []),
			...(recoveryMs > 5_000 ? ["it did not recover"] : []),
			...odd.map((status) => `an answer was ${status}`),
		],
	};
}

function toThousands(count: number): string {
	return Math.round(count).toLocaleString("en");
}
