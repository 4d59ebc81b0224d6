// Thousands of sockets that send or read as slowly as they can. The service must disconnect them within a minute, and must not slow down
// other clients.
import { request } from "../../test/harness/raw.ts";
import { createFilled } from "../injection/pets.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { apiKey, fileIn, openService } from "../service.ts";
import { addRequest, listRequest, runClients, slowestMs } from "./clients.ts";
import { readResources } from "./resources.ts";

export function slowHeader(options: ScenarioOptions): Promise<Result> {
	return runAttack(options, {
		firstText: "GET /v1/pets HTTP/1.1\r\nX: ",
		textPerSecond: "x",
	});
}

export function slowBody(options: ScenarioOptions): Promise<Result> {
	const firstText = addRequest("Rex").split("{")[0] ?? "";
	const reply = /^HTTP\/1\.1 408 /;
	return runAttack(options, { firstText, textPerSecond: " ", reply });
}

/** Their list has a hundred animals with the longest names. */
export async function slowReader(options: ScenarioOptions): Promise<Result> {
	const store = await createFilled(`sqlite:${fileIn(options)}`, 100, {
		name: "\u0001".repeat(255),
		status: "pending",
	});
	await store.close();
	return runAttack(options, {
		firstText: request("GET /v1/pets?status=pending&limit=100", [
			`Authorization: Bearer ${apiKey}`,
		]),
	});
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
	options: ScenarioOptions,
	attack: Attack,
): Promise<Result> {
	const { size } = options;
	const service = await openService(options);
	const look = () => readResources(service.pid());
	const runOthers = (seconds: number) =>
		runClients(service.url(), {
			connections,
			seconds,
			rate: 200,
			next: () => (Math.random() < 0.5 ? shortListRequest : addRequest("Rex")),
		});
	await runOthers(1);
	const before = look();
	const begun = performance.now();
	const attackers = await openAttackers(service.url(), size, attack);
	// The service may not have closed those of the other clients yet.
	const all = before.descriptors - connections + size;
	while (look().descriptors < all && performance.now() - begun < 5_000)
		await Bun.sleep(50);
	const connected = look().descriptors;
	const others = await runOthers(attackSeconds);
	// Only a few descriptors are left when the attackers are disconnected.
	const isConnected = () => look().descriptors >= before.descriptors + 20;
	while (isConnected() && performance.now() - begun < disconnectTimeoutMs)
		await Bun.sleep(250);
	const seconds = (performance.now() - begun) / 1_000;
	const isStillConnected = isConnected();
	await Bun.sleep(2_000);
	const after = look();
	attackers.close();
	await service.stop();
	const unexpected = [...others.statuses.keys()].filter(
		(status) => status >= 300,
	);
	const replies = attack.reply === undefined ? size : attackers.replies();
	const slowest = slowestMs(others);
	const problems: readonly (readonly [boolean, string])[] = [
		[connected < all, "some attackers were not connected"],
		[isStillConnected, "attackers were not disconnected"],
		[others.lost > 0, `other clients lost ${others.lost} connections`],
		[slowest > 1_000, "another client waited longer than 1 s for a reply"],
		[replies < size, `only ${replies} attackers got a 408`],
		[
			after.peakMebibytes > before.mebibytes + 768,
			"memory grew by more than 768 MiB",
		],
		[
			after.mebibytes > before.mebibytes + 128,
			"more than 128 MiB were not freed after the attack",
		],
	];
	return {
		figures: [
			`disconnected within ${seconds.toFixed(0)} s`,
			`other clients answered within ${slowest.toFixed(0)} ms`,
			`memory ${before.mebibytes.toFixed(0)} MiB, at most ${after.peakMebibytes.toFixed(0)}, then ${after.mebibytes.toFixed(0)}`,
		],
		wrong: [
			...problems.filter(([isWrong]) => isWrong).map(([, what]) => what),
			...unexpected.map((status) => `another client got ${status}`),
		],
	};
}

/** Of the other clients. */
const connections = 8;
const attackSeconds = 14;
const disconnectTimeoutMs = 60_000;
const shortListRequest = listRequest.replace(
	"/v1/pets",
	"/v1/pets?status=available",
);

async function openAttackers(
	url: string,
	count: number,
	{ firstText, textPerSecond, reply }: Attack,
): Promise<{
	/** How many sockets got their reply. */
	replies: () => number;
	close: () => void;
}> {
	const { hostname, port } = new URL(url);
	let replies = 0;
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
		close() {
			clearInterval(timer);
			for (const socket of sockets) socket.terminate();
		},
	};
}
