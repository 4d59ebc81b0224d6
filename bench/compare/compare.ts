// Compares versions of the service with the first one, by processor time per request. The processes are loaded in turn, for a second each.
// Each round starts new processes: the same program can be some percent faster or slower after another start.
import { measureUse, waitAfterStart } from "../machine/processor-time.ts";
import { isInstalled, slowDisk } from "../machine/programs.ts";
import { median, middleHalf, ratiosOf } from "../measure/statistics.ts";
import { toTable } from "../report/figures.ts";
import {
	type Contender,
	type Engine,
	type RunningContender,
	startContender,
} from "./contender.ts";
import { sendFixed } from "./load.ts";
import { type FixedRequest, toRequests } from "./requests.ts";

export interface Plan {
	readonly engine: Engine;
	/** How many times each contender is started as a new process. */
	readonly rounds: number;
	/** Turns for each request in a round. In a turn every process is loaded for one second, one process after the other. */
	readonly turns: number;
	/** The names of the requests to send. All requests if undefined. */
	readonly requests: readonly string[] | undefined;
}

/** Microseconds of processor time per request, from one second. */
type Reading = number;

/** Returns a table with a row for each request and a column for each contender. */
export async function compare(
	contenders: readonly Contender[],
	plan: Plan,
): Promise<string> {
	const found = new Map<string, Reading[][]>();
	const asked = toRequests({ key: "", etag: "" }).filter(
		({ name }) => plan.requests?.includes(name) ?? true,
	);
	const usual = asked.filter(({ slowDisk }) => !slowDisk);
	// The syncs of PostgreSQL are in its own processes.
	const slow =
		plan.engine === "sqlite" && isInstalled("strace")
			? asked.filter(({ slowDisk }) => slowDisk)
			: [];
	for (let round = 0; round < plan.rounds; round++)
		for (const readings of [
			await measureRound(contenders, plan, usual, []),
			await measureRound(contenders, plan, slow, slowDisk),
		])
			for (const [name, some] of readings) {
				const all = found.get(name) ?? contenders.map(() => []);
				for (const [index, own] of some.entries()) all[index]?.push(...own);
				found.set(name, all);
				console.error(`round ${round + 1}, ${name}: ${toLine(some)}`);
			}
	return toTable(
		["", ...contenders.map(({ name }) => name)],
		[...found].map(([name, readings]) => [name, ...toCells(readings)]),
	);
}

/** Measures new processes. */
async function measureRound(
	contenders: readonly Contender[],
	{ engine, turns }: Plan,
	requests: readonly FixedRequest[],
	wrapper: readonly string[],
): Promise<Map<string, Reading[][]>> {
	const found = new Map<string, Reading[][]>();
	if (requests.length === 0) return found;
	const servers: RunningContender[] = [];
	try {
		for (const contender of contenders)
			servers.push(await startContender(contender, engine, wrapper));
		await waitAfterStart();
		for (const { name, warmUpTurns = 1 } of requests) {
			for (let turn = 0; turn < warmUpTurns; turn++)
				for (const server of servers) await measure(server, name);
			found.set(name, await measureInTurn(servers, name, turns));
		}
	} finally {
		for (const server of servers) await server.stop();
	}
	return found;
}

async function measureInTurn(
	servers: readonly RunningContender[],
	name: string,
	turns: number,
): Promise<Reading[][]> {
	const readings = servers.map((): Reading[] => []);
	for (let turn = 0; turn < turns; turn++) {
		const order = [...servers.entries()];
		for (const [index, server] of turn % 2 === 0 ? order : order.reverse())
			readings[index]?.push(await measure(server, name));
	}
	return readings;
}

async function measure(
	server: RunningContender,
	name: string,
): Promise<Reading> {
	const facts = await server.readFacts();
	const request = toRequests(facts).find((one) => one.name === name);
	if (request === undefined) throw new Error(`There is no request "${name}".`);
	const { value, usedNs } = await measureUse(server.processorTimeNs, () =>
		sendFixed(server.url, request, 1),
	);
	return usedNs / 1000 / value;
}

/** The first contender in microseconds. The others as the change against it, with the median and the middle half of all pairs. */
function toCells(readings: readonly (readonly Reading[])[]): string[] {
	const [first = [], ...others] = readings;
	return [
		`${median(first).toFixed(1)} µs`,
		...others.map((other) => {
			const changes = ratiosOf(other, first)
				.filter(Number.isFinite)
				.map((ratio) => 100 * (ratio - 1));
			const [low, high] = middleHalf(changes);
			return `${toPercent(median(changes))} (${toPercent(low)} to ${toPercent(high)}, ${changes.length} pairs)`;
		}),
	];
}

function toPercent(change: number): string {
	return `${change >= 0 ? "+" : "−"}${Math.abs(change).toFixed(1)} %`;
}

function toLine(readings: readonly (readonly Reading[])[]): string {
	return readings.map((some) => median(some).toFixed(1)).join(", ");
}
