// A real Prometheus scrapes a service of one process and one of four workers every second, while clients list and add and workers are
// killed. No total may fall, and no rate may be more than twice the clients' rate.
import { startClients } from "../../test/harness/clients.ts";
import { run, serve } from "../../test/harness/process.ts";
import {
	type Prometheus,
	startPrometheus,
} from "../../test/harness/prometheus-server.ts";
import {
	serveWorkers,
	untilReplaced,
	type Workers,
} from "../../test/harness/workers.ts";
import { apiKey } from "../target/target.ts";
import type { LoadOptions, LoadResult } from "./scenario.ts";

export function prometheusSkipReason(): string | undefined {
	return Bun.which("prometheus") === null
		? "prometheus is not installed"
		: undefined;
}

/** Each round kills one of the four workers. */
export async function scrapeWhileKilling({
	folder,
	program,
	size,
}: LoadOptions): Promise<LoadResult> {
	const options = { cwd: folder, env: { PETSTORE_API_KEY: apiKey } };
	const key = await makeKey(program, folder);
	const single = await serve([], { ...options, program });
	const workers = await serveWorkers(4, [], options);
	const loads = [
		startLoad("one process", single.url),
		startLoad("four workers", workers.url),
	];
	const hosts = loads.map(({ host }) => host);
	const prometheus = await startPrometheus(folder, key, hosts);
	for (let round = 0; round < size; round++) {
		await Bun.sleep(roundMs);
		await killOne(workers, 1 + (round % 4));
	}
	await Bun.sleep(roundMs);
	for (const { stop } of loads) await stop();
	await Bun.sleep(settleMs);
	const results = await Promise.all(
		loads.map((load) => judge(prometheus, load)),
	);
	await prometheus.stop();
	for (const service of [single, workers]) {
		service.kill("SIGTERM");
		await service.finished;
	}
	return {
		figures: results.flatMap(({ figures }) => figures),
		wrong: results.flatMap(({ wrong }) => wrong),
	};
}

const roundMs = 3_000;
/** Lets the last scrape come after the last request. */
const settleMs = 2_500;
const clientCount = 8;
const pauseMs = 5;
/** The range of a rate. */
const windowSeconds = 4;

async function makeKey(program: string, cwd: string): Promise<string> {
	const args = ["keys", "create", "--name", "prometheus", "--scope", "metrics"];
	return (await run(args, { program, cwd })).stdout.trim();
}

async function killOne(workers: Workers, worker: number): Promise<void> {
	const killed = workers.signalWorker(worker, "SIGKILL");
	await untilReplaced(workers.pids, worker, killed);
}

type Load = ReturnType<typeof startLoad>;

function startLoad(name: string, url: string) {
	const clients = startClients(clientCount, apiKey, url, pauseMs);
	const sent = [0];
	const timer = setInterval(() => sent.push(clients.requests()), 1_000);
	return {
		name,
		host: new URL(url).host,
		sent: clients.requests,
		/** The clients' highest rate in a window. */
		highestRate() {
			const before = (second: number) => sent[second - windowSeconds] ?? 0;
			const rates = sent.map(
				(count, second) => (count - before(second)) / windowSeconds,
			);
			return Math.max(...rates);
		},
		async stop() {
			clearInterval(timer);
			await clients.stop();
		},
	};
}

async function judge(
	{ query }: Prometheus,
	{ name, host, sent, highestRate }: Load,
): Promise<LoadResult> {
	const metric = `http_server_request_duration_seconds_count{instance="${host}",http_route="/v1/pets"}`;
	const totals = await query(`sum(${metric})`);
	const resets = await query(`sum(resets(${metric}[10m]))`);
	const rates = await query(`sum(rate(${metric}[${windowSeconds}s]))`);
	const scrapes = await query(`up{instance="${host}"}`);
	const failed = scrapes.filter((isUp) => isUp === 0).length;
	const counted = Math.max(...totals);
	const [seen, expected] = [Math.max(...rates), highestRate()];
	const problems: readonly (readonly [boolean, string])[] = [
		[!isRising(totals), "a total fell"],
		[Math.max(...resets) > 0, "Prometheus saw a counter fall"],
		[Math.min(...rates) < 0, "a rate was negative"],
		// Prometheus extrapolates a rate to the whole window.
		[seen > 2 * expected, "a rate was higher than what was sent"],
		[counted > sent(), "more was counted than was sent"],
		[counted < 0.8 * sent(), "less was counted than was sent"],
		// A scrape fails if its worker is killed, or if the machine is too busy to answer within the second.
		[2 * failed > scrapes.length, "most scrapes failed"],
	];
	return {
		figures: [
			`${name}: ${counted.toLocaleString("en")} of ${sent().toLocaleString("en")} requests counted. Rate at most ${seen.toFixed(0)} a second where ${expected.toFixed(0)} were sent. ${failed} of ${scrapes.length} scrapes failed`,
		],
		wrong: problems
			.filter(([isWrong]) => isWrong)
			.map(([, problem]) => `${name}: ${problem}`),
	};
}

function isRising(values: readonly number[]): boolean {
	return values.every((value, index) => value >= (values[index - 1] ?? 0));
}
