// Thousands of sockets that send or read as slowly as they can. The service must disconnect them within a minute, and must not slow down
// other clients.
import { type Running, serve } from "../../test/harness/process.ts";
import { request } from "../../test/harness/raw.ts";
import { apiKey } from "../target/target.ts";
import { addRequest, listRequest, runClients, slowestMs } from "./clients.ts";
import { type Resources, readResources } from "./resources.ts";
import type { LoadOptions, LoadResult } from "./scenario.ts";

export function slowHeader(options: LoadOptions): Promise<LoadResult> {
	return runAttack(options, {
		firstText: "GET /v1/pets HTTP/1.1\r\nX: ",
		textPerSecond: "x",
	});
}

export function slowBody(options: LoadOptions): Promise<LoadResult> {
	const firstText = addRequest("Rex").split("{")[0] ?? "";
	const reply = /^HTTP\/1\.1 408 /;
	return runAttack(options, { firstText, textPerSecond: " ", reply });
}

export function slowReader(options: LoadOptions): Promise<LoadResult> {
	const firstText = request(`GET ${longListPath}`, [
		`Authorization: Bearer ${apiKey}`,
	]);
	return runAttack(options, { firstText });
}

interface Attack {
	/** The first bytes of each socket. */
	readonly firstText: string;
	/** Its bytes of every further second. Without them, the socket sends nothing more and reads nothing. */
	readonly textPerSecond?: string;
	/** The reply that each socket must get. */
	readonly reply?: RegExp;
}

async function runAttack(
	{ program, folder, size }: LoadOptions,
	attack: Attack,
): Promise<LoadResult> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const isSlowReader = attack.textPerSecond === undefined;
	if (isSlowReader) await addLongNames(service.url);
	const isLong = async () => (await longListLength(service.url)) > 150_000;
	if (isSlowReader && !(await isLong()))
		throw new Error("there is no long list to read slowly");
	const runOthers = (seconds: number) =>
		runClients(service.url, {
			connections: 8,
			seconds,
			rate: 200,
			next: () => (Math.random() < 0.5 ? shortListRequest : addRequest("Rex")),
		});
	await runOthers(1);
	const before = readResources(service.pid);
	const begun = performance.now();
	const attackers = await openAttackers(service.url, size, attack);
	const watch = watchResources(service);
	const others = await runOthers(attackSeconds);
	// The attackers count as disconnected when the service has fewer descriptors than this.
	const limit = before.descriptors + 20;
	while (
		readResources(service.pid).descriptors >= limit &&
		performance.now() - begun < disconnectTimeoutMs
	)
		await Bun.sleep(250);
	const { maxMebibytes, maxDescriptors, disconnectedAt } = watch.stop(limit);
	await Bun.sleep(2_000);
	const after = readResources(service.pid);
	const isAsBefore = !isSlowReader || (await isLong());
	if (isSlowReader && attackers.reads() > 0)
		throw new Error("a slow reader has read");
	attackers.close();
	service.kill("SIGTERM");
	await service.finished;
	const unexpected = [...others.statuses.keys()].filter(
		(status) => status >= 300,
	);
	const replies = attack.reply === undefined ? size : attackers.replies();
	const slowest = slowestMs(others);
	return {
		figures: [
			`disconnected after ${((disconnectedAt - begun) / 1000).toFixed(0)} s`,
			`other clients answered within ${slowest.toFixed(0)} ms`,
			`memory ${before.mebibytes.toFixed(0)} MiB, at most ${maxMebibytes.toFixed(0)}, then ${after.mebibytes.toFixed(0)}`,
		],
		wrong: [
			...(maxDescriptors < before.descriptors + size
				? ["some attackers were not connected"]
				: []),
			...(after.descriptors >= limit
				? ["attackers were not disconnected"]
				: []),
			...(isAsBefore ? [] : ["the long list is not answered any more"]),
			...unexpected.map((status) => `another client got ${status}`),
			...(others.lost > 0
				? [`other clients lost ${others.lost} connections`]
				: []),
			...(slowest > 1_000
				? ["another client waited longer than 1 s for a reply"]
				: []),
			...(replies < size ? [`only ${replies} attackers got a 408`] : []),
			...(maxMebibytes > before.mebibytes + 768
				? ["memory grew by more than 768 MiB"]
				: []),
			...(after.mebibytes > before.mebibytes + 128
				? ["more than 128 MiB were not freed after the attack"]
				: []),
		],
	};
}

const longListPath = "/v1/pets?status=pending&limit=100";
const attackSeconds = 14;
const disconnectTimeoutMs = 60_000;
const shortListRequest = listRequest.replace(
	"/v1/pets",
	"/v1/pets?status=available",
);

/** Adds a hundred animals with the longest names. Their status keeps them out of the other clients' lists. */
async function addLongNames(url: string): Promise<void> {
	let left = 100;
	const next = () => {
		left--;
		return addRequest("\u0001".repeat(255), "pending");
	};
	while (left > 0)
		await runClients(url, { connections: 4, seconds: 0.1, next });
}

async function longListLength(url: string): Promise<number> {
	const headers = { Authorization: `Bearer ${apiKey}` };
	const list = await fetch(url + longListPath, { headers });
	return (await list.text()).length;
}

interface Attackers {
	/** How many sockets got their reply. */
	readonly replies: () => number;
	/** How often any socket has received data. */
	readonly reads: () => number;
	readonly close: () => void;
}

async function openAttackers(
	url: string,
	count: number,
	{ firstText, textPerSecond, reply }: Attack,
): Promise<Attackers> {
	const { hostname, port } = new URL(url);
	let replies = 0;
	let reads = 0;
	const sockets = await Promise.all(
		Array.from({ length: count }, () =>
			Bun.connect({
				hostname,
				port: Number(port),
				socket: {
					open(socket) {
						if (textPerSecond === undefined) socket.pause();
						socket.write(firstText);
					},
					data(_, data) {
						reads++;
						if (reply?.test(data.toString("latin1"))) replies++;
					},
					error() {},
				},
			}),
		),
	);
	const timer = setInterval(() => {
		if (textPerSecond !== undefined)
			for (const socket of sockets) socket.write(textPerSecond);
	}, 1_000);
	return {
		replies: () => replies,
		reads: () => reads,
		close() {
			clearInterval(timer);
			for (const socket of sockets) socket.terminate();
		},
	};
}

/** Samples the resources four times a second. */
function watchResources({ pid }: Running): {
	/** The attackers count as connected while the service has at least `limit` descriptors. */
	stop: (limit: number) => {
		maxMebibytes: number;
		maxDescriptors: number;
		disconnectedAt: number;
	};
} {
	const samples: (Resources & { at: number })[] = [];
	const timer = setInterval(() => {
		samples.push({ at: performance.now(), ...readResources(pid) });
	}, 250);
	return {
		stop(limit) {
			clearInterval(timer);
			const connected = samples.filter(
				({ descriptors }) => descriptors >= limit,
			);
			return {
				maxMebibytes: Math.max(...samples.map(({ mebibytes }) => mebibytes)),
				maxDescriptors: Math.max(
					...samples.map(({ descriptors }) => descriptors),
				),
				disconnectedAt: connected.at(-1)?.at ?? samples[0]?.at ?? 0,
			};
		},
	};
}
