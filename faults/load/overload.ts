// Ten times as many connections as the peak needs. The service must keep its rate, answer /healthz, and recover within 5 s.
import { accessSync, constants, writeFileSync } from "node:fs";
import { type Running, serve } from "../../test/harness/process.ts";
import { apiKey } from "../target/target.ts";
import {
	addRequest,
	type ClientResults,
	listRequest,
	percentile99,
	runClients,
	successesPerSecond,
} from "./clients.ts";
import { quantile } from "./quantile.ts";
import type { LoadOptions, LoadResult } from "./scenario.ts";

export function overloadConnections(options: LoadOptions): Promise<LoadResult> {
	return overload(options, options.program, () => listRequest, 64);
}

/** Every sync takes 5 ms longer, so each batch gets an add from every connection. */
export function overloadSlowStore(options: LoadOptions): Promise<LoadResult> {
	const program = `${options.folder}/slow`;
	const delay =
		"-e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_exit=5000";
	writeFileSync(
		program,
		`#!/bin/sh\nexec strace -D -f --seccomp-bpf -o /dev/null ${delay} ${options.program} "$@"\n`,
		{ mode: 0o755 },
	);
	// The recorded run opens ten thousand sockets. A test, with one round, opens only as many as every machine allows.
	const connections = options.size > 1 ? 1_024 : 256;
	return overload(options, program, () => addRequest("Rex"), connections);
}

export function straceSkipReason(): string | undefined {
	try {
		accessSync("/usr/bin/strace", constants.X_OK);
		return undefined;
	} catch {
		return "there is no strace";
	}
}

async function overload(
	{ folder, size, minShare }: LoadOptions,
	program: string,
	next: () => string,
	connections: number,
): Promise<LoadResult> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const send = (count: number, seconds = 2) =>
		runClients(service.url, { connections: count, seconds, next });
	await send(connections, 1);
	const rounds: Round[] = [];
	for (let round = 0; round < size; round++)
		rounds.push(await overloadOnce(service, send, connections));
	service.kill("SIGTERM");
	await service.finished;
	return judge(rounds, connections, minShare);
}

interface Round {
	/** Successful replies per second, as the mean of before and after, because other programs may slow down the machine. */
	readonly peak: number;
	readonly overload: ClientResults;
	/** Connections that ended without a reply. */
	readonly lost: number;
	/** The slowest reply of /healthz. */
	readonly healthMs: number;
	/** From the end of the overload until the 99th percentile of the reply times is normal. */
	readonly recoveryMs: number;
}

async function overloadOnce(
	{ url }: Running & { url: string },
	send: (connections: number, seconds?: number) => Promise<ClientResults>,
	connections: number,
): Promise<Round> {
	const before = await send(connections);
	const checks = checkHealth(url);
	const overload = await send(connections * 10);
	const healthMs = await checks.stop();
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

function checkHealth(url: string): { stop: () => Promise<number> } {
	let running = true;
	let slowest = 0;
	const checking = (async () => {
		while (running) {
			const asked = performance.now();
			const { ok } = await fetch(`${url}/healthz`);
			slowest = Math.max(
				slowest,
				ok ? performance.now() - asked : Number.POSITIVE_INFINITY,
			);
			await Bun.sleep(50);
		}
	})();
	return {
		async stop() {
			running = false;
			await checking;
			return slowest;
		},
	};
}

function judge(
	rounds: readonly Round[],
	connections: number,
	minShare: number,
): LoadResult {
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
