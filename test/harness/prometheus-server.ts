// A real Prometheus, with the configuration that docs/monitor.md shows.
import { readFileSync, writeFileSync } from "node:fs";
import { freePort } from "./free-port.ts";
import { root, start, waitFor } from "./process.ts";

export interface Prometheus {
	/** The values of an expression in each second of the last ten minutes. */
	readonly query: (expression: string) => Promise<number[]>;
	readonly stop: () => Promise<void>;
}

/** Scrapes these hosts with this key every second. */
export async function startPrometheus(
	folder: string,
	key: string,
	hosts: readonly string[],
): Promise<Prometheus> {
	const address = `127.0.0.1:${await freePort()}`;
	const file = `${folder}/prometheus.yml`;
	writeFileSync(`${folder}/petstore.key`, key);
	writeFileSync(file, toConfiguration(folder, hosts));
	const running = start(
		[
			"prometheus",
			...["--config.file", file],
			...["--storage.tsdb.path", `${folder}/prometheus`],
			...["--web.listen-address", address],
		],
		{ cwd: folder },
	);
	const url = `http://${address}`;
	await untilReady(url, () => running.output().stderr);
	return {
		query: (expression) => query(url, expression),
		async stop() {
			running.kill("SIGTERM");
			await running.finished;
		},
	};
}

function toConfiguration(folder: string, hosts: readonly string[]): string {
	const targets = hosts.map((host) => JSON.stringify(host)).join(", ");
	return readConfiguration()
		.replace(
			/scrape_interval: .*/,
			"scrape_interval: 1s\n    scrape_timeout: 1s",
		)
		.replace(/credentials_file: .*/, `credentials_file: ${folder}/petstore.key`)
		.replace(/^rule_files: .*$/m, "")
		.replace(/"petstore\.example:8080"/, targets);
}

/** The prometheus.yml that docs/monitor.md shows. */
export function readConfiguration(): string {
	const text = readFileSync(`${root}docs/monitor.md`, "utf8");
	const [, block] = text.split("```yaml\n# prometheus.yml\n");
	if (block === undefined)
		throw new Error("docs/monitor.md has no prometheus.yml");
	return block.slice(0, block.indexOf("```"));
}

async function untilReady(url: string, log: () => string): Promise<void> {
	let isReady = false;
	const look = async () => {
		const { ok } = await fetch(`${url}/-/ready`);
		isReady ||= ok;
	};
	await waitFor(
		() => {
			look().catch(() => {});
			return isReady || undefined;
		},
		() => `Prometheus did not start: ${log()}`,
		30_000,
	);
}

interface Answer {
	readonly data: {
		readonly result: readonly {
			readonly values: readonly (readonly [at: number, value: string])[];
		}[];
	};
}

async function query(url: string, expression: string): Promise<number[]> {
	const end = Date.now() / 1000;
	const parameters = new URLSearchParams({
		query: expression,
		start: String(end - 600),
		end: String(end),
		step: "1",
	});
	const response = await fetch(`${url}/api/v1/query_range?${parameters}`);
	const answer: Answer = await response.json();
	return answer.data.result.flatMap(({ values }) =>
		values.map(([, value]) => Number(value)),
	);
}
