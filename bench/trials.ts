// The trials: which operations are measured on which database, and what else is measured.
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { librarySkipReason } from "../test/harness/c-library.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import type { RecordedReply } from "./bare.ts";
import {
	type Catalogues,
	type Engine,
	oldest,
	type Size,
	toSize,
} from "./catalogues.ts";
import { type Contender, peerOperations } from "./contenders.ts";
import { connections, load, type Request, sendOnce } from "./load.ts";
import type { Figures, Trial } from "./measure.ts";
import {
	processorSeconds,
	readMebibytes,
	type Server,
	shareCores,
	startServer,
} from "./server.ts";

/** A request without its key, and with `{etag}` for the ETag of the first page. */
interface Operation extends Omit<Request, "headers" | "highestId"> {
	readonly name: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether the number of a request is the id of an animal. */
	readonly getsAnimal?: true;
	/** If not as many as usual. */
	readonly connections?: number;
	/** Whether it needs the key of an operator. */
	readonly isOperators?: true;
}

const list: Operation = {
	name: "list",
	method: "GET",
	path: "/v1/pets",
	status: 200,
};
const add: Operation = {
	name: "add",
	method: "POST",
	path: "/v1/pets",
	headers: { "Content-Type": "application/json" },
	body: '{"name":"Rex {number}","categoryId":9007199254740,"status":"pending"}',
	status: 201,
};
const listWithQuery: Operation = {
	...list,
	name: "list with query",
	path: "/v1/pets?status=available&limit=20",
};
const get: Operation = {
	...list,
	name: "get",
	path: "/v1/pets/{number}",
	getsAnimal: true,
};
const addWithKey: Operation = {
	...add,
	name: "add with Idempotency-Key",
	headers: { ...add.headers, "Idempotency-Key": "order-{number}" },
};
const operations: readonly Operation[] = [
	...[list, listWithQuery, get],
	{
		...list,
		name: "304",
		headers: { "If-None-Match": "{etag}" },
		status: 304,
	},
	{
		...list,
		name: "401",
		headers: { Authorization: "Bearer wrong" },
		status: 401,
	},
	...[add, addWithKey],
];

const toOperators = (name: string, path: string): Operation => ({
	...list,
	name,
	path: `/operator/v1/${path}`,
	isOperators: true,
});
const grown: readonly Operation[] = [
	...[add, list, get],
	toOperators("operator list", "pets?limit=20"),
	// More searches at a time are refused.
	{ ...toOperators("search", "pets?limit=20&name=Luna"), connections: 1 },
	toOperators("count of a category", "pets/count?categoryId=5"),
	toOperators("status", "status"),
];

/** Animals and categories: the first size is what the others are compared with. */
const sizes: readonly Size[] = [
	[10_000, 10],
	[160_000, 10],
	[160_000, 10_000],
	[1_000_000, 1_000_000],
];
const largeSizes: readonly Size[] = [[2_560_000, 10]];

const usual = 1_000;
const large = 10_000_000;
const oldKeys = 20_000;
const msUntilEnd = "ms until its end";
const perCpuSecond = "requests per CPU second";
const searched = 1_000_000;
const warmUpSeconds = 2;
const turnSeconds = 2;

const copyCounts = [1, 2, 4, 8];
const copiesSeconds = 4;
/** Each of eight copies compiles its code with an eighth of the requests. */
const copiesWarmUpSeconds = 8;
/** Connections of those who read while others add. */
const readersBeside = 8;

/** `service` is what the bare server records its reply from. */
export function toTrials(
	service: Contender,
	catalogues: Catalogues,
	withLarge: boolean,
): readonly Trial[] {
	const toTrial = (
		operation: Operation,
		engine: Engine,
		animals: number,
		name: string,
	): Trial => ({
		name,
		turns: 2,
		isFor: (contender) =>
			contender.kind === "service" ||
			(engine === "sqlite" &&
				animals === usual &&
				(contender.kind === "bare" || peerOperations.includes(operation.name))),
		open: (contender) => openLoad(contender, operation, engine, animals),
	});

	async function openLoad(
		contender: Contender,
		operation: Operation,
		engine: Engine,
		size: Size,
	) {
		const source = contender.kind === "bare" ? service : contender;
		const catalogue = await catalogues.copy(source, engine, size);
		let server = await startServer(source, catalogue.location, catalogue.key);
		const request = await toRequest(
			operation,
			server.url,
			operation.isOperators ? catalogue.operatorKey : catalogue.key,
			toSize(size)[0],
		);
		const reply = await sendOnce(server.url, request, 1);
		if (reply.status !== request.status)
			throw new Error(
				`${contender.name}, ${operation.name}: ${reply.status} ${await reply.text()}`,
			);
		if (contender.kind === "bare") {
			await server.stop();
			const file = await recordReply(reply);
			server = await startServer(contender, file, catalogue.key);
		}
		let firstNumber = 1;
		const send = (seconds: number) => {
			// More than a load can use, so that no number is sent twice.
			firstNumber += 10_000_000;
			const { connections } = operation;
			return load(server.url, request, seconds, firstNumber, connections);
		};
		await send(warmUpSeconds);
		return {
			async read(): Promise<Figures> {
				const before = processorSeconds(server.pid);
				const { requests, seconds } = await send(turnSeconds);
				const used = processorSeconds(server.pid) - before;
				return {
					[perCpuSecond]: requests / used,
					"requests a second": requests / seconds,
				};
			},
			async close() {
				await server.stop();
				await catalogue.remove();
			},
		};
	}

	/** All processes and PostgreSQL share the cores, and the copies share the connections. */
	const toCopies = (
		copies: number,
		flushMs: number,
		operation: Operation,
		beside?: Operation,
	): Trial => ({
		name: `${copies} ${copies === 1 ? "copy" : "copies"}, flush + ${flushMs} ms: ${operation.name}${beside ? ` beside ${beside.name}s` : ""}`,
		turns: 1,
		skipReason: flushMs > 0 ? librarySkipReason : undefined,
		isFor: ({ kind }) => kind === "service",
		async open(contender) {
			const catalogue = await catalogues.copy(
				contender,
				"postgres",
				usual,
				flushMs,
			);
			const { location, key } = catalogue;
			const servers: Server[] = [];
			while (servers.length < copies) {
				const server = await startServer(contender, location, key);
				shareCores(server.pid);
				servers.push(server);
			}
			let firstNumber = 1;
			const send = async (sent: Operation, all: number, seconds: number) => {
				const loads = servers.map(async ({ url }) => {
					firstNumber += 10_000_000;
					const first = firstNumber;
					const request = await toRequest(sent, url, key, usual);
					return load(url, request, seconds, first, Math.max(all / copies, 1));
				});
				const rates = (await Promise.all(loads)).map(
					({ requests, seconds }) => requests / seconds,
				);
				return rates.reduce((sum, rate) => sum + rate, 0);
			};
			await send(operation, connections, copiesWarmUpSeconds);
			return {
				async read(): Promise<Figures> {
					const [rate, read] = await Promise.all([
						send(operation, connections, copiesSeconds),
						beside && send(beside, readersBeside, copiesSeconds),
					]);
					return {
						"requests a second": rate,
						...(read && { "reads a second beside adds": read }),
					};
				},
				async close() {
					for (const { stop } of servers) await stop();
					await catalogue.remove();
				},
			};
		},
	});

	const toStart = (animals: number, engine: Engine, name: string): Trial => ({
		name,
		turns: 2,
		isFor: (contender) =>
			contender.kind === "service" ||
			(contender.kind === "peer" && engine === "sqlite" && animals === usual),
		async open(contender) {
			const catalogue = await catalogues.copy(contender, engine, animals);
			return {
				async read() {
					const { location, key } = catalogue;
					const server = await startServer(contender, location, key);
					await Bun.sleep(1_000);
					const memory = readMebibytes(server.pid);
					await server.stop();
					return {
						"ms until the first reply": server.startMs,
						"MB of idle memory": memory,
					};
				},
				close: catalogue.remove,
			};
		},
	});

	/** How much more it costs in larger catalogues. */
	const toGrowth = (
		name: string,
		toCost: (figures: Figures) => number | undefined,
		open: (contender: Contender, size: Size) => ReturnType<Trial["open"]>,
	): Trial => ({
		name: `growth: ${name}`,
		turns: 2,
		isFor: ({ kind }) => kind === "service",
		async open(contender) {
			const opened: Awaited<ReturnType<Trial["open"]>>[] = [];
			const all = [...sizes, ...(withLarge ? largeSizes : [])];
			for (const size of all) opened.push(await open(contender, size));
			return {
				async read() {
					const costs: number[] = [];
					for (const { read } of opened)
						costs.push(toCost(await read()) ?? Number.NaN);
					const [least = Number.NaN] = costs;
					return Object.fromEntries(
						costs.slice(1).map((cost, at) => {
							const [animals, categories] = toSize(all[at + 1] ?? 0).map(
								(one) => one.toLocaleString("en"),
							);
							return [
								`Times the cost, ${animals} animals in ${categories} categories`,
								cost / least,
							];
						}),
					);
				},
				async close() {
					for (const { close } of opened) await close();
				},
			};
		},
	});

	/** Of so many Idempotency-Keys, beside one for each animal. A start begins with it. */
	async function openCleanUp(contender: Contender, size: Size) {
		const catalogue = await catalogues.copy(contender, "sqlite", size);
		const { location, key, remove } = catalogue;
		const db = new Database(location.slice("sqlite:".length));
		const addKeys = (prefix: string, count: number, at: number) =>
			db.run(
				`INSERT INTO idempotency_keys (owner, key, fingerprint, pet_id, used_at)
				WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ?)
				SELECT 'bench', ? || n, 'f', 1, ? + n FROM series`,
				[count, prefix, at],
			);
		addKeys("new ", toSize(size)[0], Date.now() - toSize(size)[0]);
		const old = db.query("SELECT 1 FROM idempotency_keys WHERE used_at < 1e9");
		return {
			async read() {
				addKeys("old ", oldKeys, 0);
				const server = await startServer(contender, location, key);
				const figures = await timed(async () => {
					while (old.get() !== null) await Bun.sleep(1);
				});
				await server.stop();
				return figures;
			},
			async close() {
				db.close();
				await remove();
			},
		};
	}

	const search: Trial = {
		name: "search for a part of a name, 1,000,000 animals",
		turns: 1,
		isFor: ({ kind }) => kind === "service",
		async open(contender) {
			const catalogue = await catalogues.copy(contender, "sqlite", searched);
			const { location, key, operatorKey } = catalogue;
			const server = await startServer(contender, location, key);
			return {
				read: () => timed(() => searchAll(server.url, operatorKey)),
				async close() {
					await server.stop();
					await catalogue.remove();
				},
			};
		},
	};

	return [
		...operations.map((one) => toTrial(one, "sqlite", usual, one.name)),
		...[list, get, add, addWithKey].map((one) =>
			toTrial(one, "postgres", usual, `${one.name}, PostgreSQL`),
		),
		...(withLarge ? [list, listWithQuery, get, add] : []).map((one) =>
			toTrial(one, "sqlite", large, `${one.name}, 10,000,000 animals`),
		),
		toStart(usual, "sqlite", "start"),
		toStart(usual, "postgres", "start, PostgreSQL"),
		...(withLarge
			? [toStart(large, "sqlite", "start, 10,000,000 animals")]
			: []),
		search,
		...grown.map((one) =>
			toGrowth(
				one.name,
				(figures) => 1 / (figures[perCpuSecond] ?? 0),
				(contender, size) => openLoad(contender, one, "sqlite", size),
			),
		),
		toGrowth("clean-up", (figures) => figures[msUntilEnd], openCleanUp),
		...[add, list, get].flatMap((one) =>
			copyCounts.map((copies) => toCopies(copies, 0, one)),
		),
		...copyCounts.map((copies) => toCopies(copies, 10, add)),
		...[0, 10].flatMap((flushMs) =>
			copyCounts.map((copies) => toCopies(copies, flushMs, add, list)),
		),
	];
}

async function toRequest(
	{ getsAnimal, ...operation }: Operation,
	url: string,
	key: string,
	animals: number,
): Promise<Request> {
	const authorization = { Authorization: `Bearer ${key}` };
	const page = await fetch(`${url}/v1/pets`, { headers: authorization });
	const etag = page.headers.get("ETag") ?? "";
	const headers = Object.entries(operation.headers ?? {}).map(
		([name, value]) => [name, value.replace("{etag}", etag)],
	);
	return {
		...operation,
		headers: { ...authorization, ...Object.fromEntries(headers) },
		...(getsAnimal && { highestId: animals }),
	};
}

/** Returns the path of the file. */
async function recordReply(reply: Response): Promise<string> {
	const headers = [...reply.headers].filter(
		([name]) => !["connection", "content-length", "date"].includes(name),
	);
	const recorded: RecordedReply = {
		status: reply.status,
		headers: Object.fromEntries(headers),
		body: (await reply.text()) || null,
	};
	const file = `${temporaryFolder().path}/reply.json`;
	writeFileSync(file, JSON.stringify(recorded));
	return file;
}

/** Finds the first animal that was added. A search begins with the newest, so it looks at all of them. */
async function searchAll(url: string, operatorKey: string): Promise<void> {
	const headers = { Authorization: `Bearer ${operatorKey}` };
	let found = 0;
	for (let next: string | undefined = ""; next !== undefined; ) {
		const cursor = next === "" ? "" : `&cursor=${next}`;
		const path = `/operator/v1/pets?name=${oldest.slice(1)}${cursor}`;
		const reply = await fetch(url + path, { headers });
		const body = (await reply.json()) as FoundPets;
		found += body.pets.length;
		next = body.next;
	}
	if (found !== 1) throw new Error(`The search found ${found} animals.`);
}

interface FoundPets {
	readonly pets: readonly unknown[];
	readonly next?: string;
}

async function timed(work: () => Promise<unknown>): Promise<Figures> {
	const begun = performance.now();
	await work();
	return { [msUntilEnd]: performance.now() - begun };
}
