// The trials: which operations are measured on which database, and what else is measured.
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "../test/harness/temporary.ts";
import type { RecordedReply } from "./bare.ts";
import { type Catalogues, type Engine, oldest } from "./catalogues.ts";
import { type Contender, peerOperations } from "./contenders.ts";
import { load, type Request, sendOnce } from "./load.ts";
import type { Figures, Trial } from "./measure.ts";
import { processorSeconds, readMebibytes, startServer } from "./server.ts";

/** A request without its key, and with `{etag}` for the ETag of the first page. */
interface Operation extends Omit<Request, "headers" | "highestId"> {
	readonly name: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether the number of a request is the id of an animal. */
	readonly getsAnimal?: true;
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

const usual = 1_000;
const large = 10_000_000;
const searched = 1_000_000;
const warmUpSeconds = 2;
const turnSeconds = 2;

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
		animals: number,
	) {
		const source = contender.kind === "bare" ? service : contender;
		const catalogue = await catalogues.copy(source, engine, animals);
		let server = await startServer(source, catalogue.location, catalogue.key);
		const request = await toRequest(
			operation,
			server.url,
			catalogue.key,
			animals,
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
			return load(server.url, request, seconds, firstNumber);
		};
		await send(warmUpSeconds);
		return {
			async read(): Promise<Figures> {
				const before = processorSeconds(server.pid);
				const { requests, seconds } = await send(turnSeconds);
				const used = processorSeconds(server.pid) - before;
				return {
					"requests per CPU second": requests / used,
					"requests a second": requests / seconds,
				};
			},
			async close() {
				await server.stop();
				await catalogue.remove();
			},
		};
	}

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
	return { "ms until its end": performance.now() - begun };
}
