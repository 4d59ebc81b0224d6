// Does the cost of a list, a get and an add grow with the catalogue? Three catalogues, measured in turn in one run.
// Usage: npm run bench
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createApp } from "../src/app.ts";
import { createAuthenticate } from "../src/auth.ts";
import { operationIds, petStatuses } from "../src/contract.ts";
import { toCursor } from "../src/cursor.ts";
import { openStore } from "../src/store/open.ts";
import type { Store } from "../src/store/store.ts";

const sizes = [1, 1_000, 1_000_000];
const rounds = 40;
const callsPerRound = 250;
const apiKey = "the-key-of-the-benchmark";

interface Catalogue {
	readonly size: number;
	readonly call: (path: string, body?: string) => Promise<void>;
	readonly close: () => Promise<void>;
}

/** The same work in each catalogue, so those with one animal list only the oldest; `leastSize` leaves the others out. */
const trials: readonly {
	name: string;
	leastSize: number;
	run: (catalogue: Catalogue) => Promise<void>;
}[] = [
	{
		name: "list, the last page",
		leastSize: 1,
		run: ({ call }) => call(`/v1/pets?cursor=${toCursor(2n, undefined)}`),
	},
	{
		name: "list by status, the last page",
		leastSize: 1,
		run: ({ call }) =>
			call(`/v1/pets?status=available&cursor=${toCursor(2n, "available")}`),
	},
	{
		name: "list of 20, the first page",
		leastSize: 1_000,
		run: ({ call }) => call("/v1/pets"),
	},
	{
		name: "list of 20 from the middle",
		leastSize: 1_000,
		run: ({ call, size }) =>
			call(`/v1/pets?cursor=${toCursor(BigInt(size / 2), undefined)}`),
	},
	{
		name: "get, always the same",
		leastSize: 1,
		run: ({ call }) => call("/v1/pets/1"),
	},
	{
		name: "get, at random",
		leastSize: 1,
		run: ({ call, size }) =>
			call(`/v1/pets/${1 + Math.floor(Math.random() * size)}`),
	},
	{
		name: "add, a commit each",
		leastSize: 1,
		run: ({ call }) =>
			call("/v1/pets", '{"name":"Rex","categoryId":9007199254740993}'),
	},
];

const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"));
const catalogues: Catalogue[] = [];
for (const size of sizes) catalogues.push(await openCatalogue(size));

console.log(
	`Microseconds a call in process: median of ${rounds} rounds of ${callsPerRound} calls, and the middle half of the rounds.`,
);
console.log(`Bun ${Bun.version}, ${process.arch}, ${cpus()[0]?.model}\n`);
print([
	"",
	...sizes.map((size) => `${size.toLocaleString("en")} animals`),
	"largest / smallest",
]);
for (const { name, leastSize, run } of trials) {
	const measured = catalogues
		.filter(({ size }) => size >= leastSize)
		.map((catalogue) => ({ catalogue, costs: [] as number[] }));
	// In turn, so that whatever else the machine does falls on all of them alike.
	for (let round = 0; round < rounds; round++)
		for (const { catalogue, costs } of measured)
			costs.push(await costOf(() => run(catalogue)));
	const medians = measured.map(({ costs }) => quantile(costs, 0.5));
	const ratio = (medians.at(-1) ?? 0) / (medians[0] ?? 1);
	const cells = measured.map(({ costs }) => summary(costs));
	const missing = sizes.length - cells.length;
	print([
		name,
		...Array<string>(missing).fill("-"),
		...cells,
		ratio.toFixed(2),
	]);
}
for (const { close } of catalogues) await close();
rmSync(folder, { recursive: true });

async function openCatalogue(size: number): Promise<Catalogue> {
	const store = await openStore(`sqlite:${folder}/${size}.db`, {
		create: true,
	});
	await fill(store, size);
	const app = createApp({
		store,
		authenticate: createAuthenticate({
			store,
			apiKey,
			onUnrecordedUse: () => {},
		}),
		operationIds,
		openapi: "{}",
		log: pino({ enabled: false }),
		logRequests: false,
	});
	const headers = {
		Authorization: `Bearer ${apiKey}`,
		"Content-Type": "application/json",
	};
	return {
		size,
		async call(path, body) {
			const init =
				body === undefined ? { headers } : { method: "POST", headers, body };
			const request = new Request(`http://localhost${path}`, init);
			const response = await app.fetch(request);
			const text = await response.text();
			if (!response.ok) throw new Error(text);
		},
		close: store.close,
	};
}

async function fill(store: Store, size: number): Promise<void> {
	for (let first = 0; first < size; first += 4_000)
		await Promise.all(
			Array.from({ length: Math.min(4_000, size - first) }, (_, index) =>
				store.addPet(
					{
						name: `animal ${first + index}`,
						categoryId: BigInt(first + index),
						status: petStatuses[(first + index) % 3] ?? "available",
					},
					undefined,
				),
			),
		);
}

async function costOf(run: () => Promise<void>): Promise<number> {
	const begun = performance.now();
	for (let count = 0; count < callsPerRound; count++) await run();
	return ((performance.now() - begun) * 1000) / callsPerRound;
}

function summary(costs: readonly number[]): string {
	const [low, median, high] = [0.25, 0.5, 0.75].map((share) =>
		quantile(costs, share).toFixed(1),
	);
	return `${median} (${low}-${high})`;
}

function quantile(costs: readonly number[], share: number): number {
	const sorted = costs.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

function print(cells: readonly string[]): void {
	console.log(
		cells
			.map((cell) => cell.padEnd(31))
			.join("")
			.trimEnd(),
	);
}
