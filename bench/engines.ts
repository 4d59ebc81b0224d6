// List, get and add over HTTP on the embedded engine and on PostgreSQL, in turn in one run. Load by wrk.
// Usage: bun bench/engines.ts   (TEST_DATABASE_URL names a PostgreSQL; else one is started from npm's binaries)
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { createDatabase, removeShared } from "../test/postgres-server.ts";
import { type Running, serve } from "../test/process.ts";
import { temporaryDatabase, temporaryFolder } from "../test/temporary.ts";
import { add } from "../test/writers.ts";

const rounds = 5;
const seconds = 2;
const connections = 64;
const apiKey = "the-key-of-the-benchmark";
const animals = 1_000;

const trials: readonly { name: string; path: string; body?: string }[] = [
	{ name: "list of 20", path: "/v1/pets" },
	{ name: "get", path: "/v1/pets/500" },
	{
		name: "add, durable",
		path: "/v1/pets",
		body: '{"name":"Rex","categoryId":9007199254740993}',
	},
];

requireWrk();
const folder = temporaryFolder();
const databases = [temporaryDatabase(), await createDatabase()];
const services: (Running & { url: string })[] = [];
for (const { url } of databases) {
	const service = await serve(["--database", url], {
		cwd: folder.path,
		env: { API_KEY: apiKey },
	});
	services.push(service);
	pin(service.pid, 0);
	for (let first = 0; first < animals; first += 50)
		await Promise.all(
			Array.from({ length: 50 }, (_, index) =>
				add(service.url, apiKey, `animal-${first + index}`),
			),
		);
}

console.log(
	`Requests a second: median of ${rounds} rounds of ${seconds} s, and their range; ${connections} connections, ${animals} animals.`,
);
console.log(
	`The service pinned to one core, the load to the other, PostgreSQL to neither. Bun ${Bun.version}, ${process.arch}, ${cpus()[0]?.model}\n`,
);
print(["", "sqlite", "postgres", "postgres / sqlite"]);
for (const trial of trials) {
	const script = writeScript(trial);
	const rates = services.map((): number[] => []);
	for (let round = 0; round < rounds; round++)
		for (const [index, { url }] of services.entries())
			rates[index]?.push(load(url + trial.path, script));
	const medians = rates.map((list) => sorted(list)[rounds >> 1] ?? 0);
	const [sqlite = 1, postgres = 0] = medians;
	const cells = rates.map(
		(list, index) =>
			`${medians[index]?.toFixed(0)} (${Math.min(...list).toFixed(0)}-${Math.max(...list).toFixed(0)})`,
	);
	print([trial.name, ...cells, (postgres / sqlite).toFixed(2)]);
}

for (const service of services) {
	service.kill("SIGTERM");
	await service.finished;
}
for (const { remove } of databases) await remove();
await removeShared();
folder.remove();

function requireWrk(): void {
	try {
		execFileSync("wrk", ["--version"], { stdio: "ignore" });
	} catch (error) {
		// It ends with status 1 after it has told its version.
		if (error instanceof Error && "status" in error && error.status === 1)
			return;
		console.error("wrk is missing: install Debian's package wrk.");
		process.exit(1);
	}
}

function writeScript({ body }: { body?: string }): string {
	const path = `${folder.path}/load.lua`;
	const lines = [
		`wrk.headers["Authorization"] = "Bearer ${apiKey}"`,
		...(body === undefined
			? []
			: [
					'wrk.method = "POST"',
					'wrk.headers["Content-Type"] = "application/json"',
					`wrk.body = ${JSON.stringify(body)}`,
				]),
	];
	writeFileSync(path, lines.join("\n"));
	return path;
}

function load(url: string, script: string): number {
	const wrk = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url];
	const output = execFileSync("taskset", ["-c", "1", "wrk", ...wrk]).toString();
	if (/Non-2xx/.test(output)) throw new Error(output);
	return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** Threads too; what it starts later stays where it is. */
function pin(pid: number, core: number): void {
	execFileSync("taskset", ["-acp", String(core), String(pid)], {
		stdio: "ignore",
	});
}

function sorted(list: readonly number[]): number[] {
	return list.toSorted((a, b) => a - b);
}

function print(cells: readonly string[]): void {
	console.log(
		cells
			.map((cell) => cell.padEnd(24))
			.join("")
			.trimEnd(),
	);
}
