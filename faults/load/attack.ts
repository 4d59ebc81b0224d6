// Thousands of sockets that send or read as slowly as they can. The service must disconnect them within a minute, and must not slow down
// other clients.
import { readdirSync, readFileSync } from "node:fs";
import { createFilled } from "../pets.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { fileIn, openService } from "../service.ts";
import { addRequest, runClients, toList } from "./clients.ts";

export function slowHeader(options: ScenarioOptions): Promise<Result> {
	return runAttack(options, {
		firstText: "GET /v1/pets HTTP/1.1\r\nX: ",
		textPerSecond: "x",
	});
}

export function slowBody(options: ScenarioOptions): Promise<Result> {
	const firstText = addRequest.split("{")[0] ?? "";
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
		firstText: toList("?status=pending&limit=100"),
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
			next: () => (Math.random() < 0.5 ? shortList : addRequest),
		});
	await runOthers(1);
	const before = look();
	const { mebibytes } = before;
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
	const statuses = [...others.statuses.keys()];
	const replies = attack.reply === undefined ? size : attackers.replies();
	const slowest = others.timesMs.reduce((a, b) => Math.max(a, b), 0);
	const problems: readonly (readonly [boolean, string])[] = [
		[connected < all, "some attackers were not connected"],
		[isStillConnected, "attackers were not disconnected"],
		[others.lost > 0, `other clients lost ${others.lost} connections`],
		[slowest > 1_000, "another client waited longer than 1 s for a reply"],
		[replies < size, `only ${replies} attackers got a 408`],
		[after.peakMebibytes > mebibytes + 768, "memory grew by over 768 MiB"],
		[after.mebibytes > mebibytes + 128, "over 128 MiB were not freed"],
	];
	const peak = after.peakMebibytes.toFixed(0);
	return {
		figures: [
			`disconnected within ${seconds.toFixed(0)} s`,
			`other clients answered within ${slowest.toFixed(0)} ms`,
			`memory ${mebibytes.toFixed(0)} MiB, at most ${peak}, then ${after.mebibytes.toFixed(0)}`,
		],
		wrong: [
			...problems.filter(([isWrong]) => isWrong).map(([, what]) => what),
			...statuses
				.filter((one) => one >= 300)
				.map((status) => `another client got ${status}`),
		],
	};
}

/** Of the other clients. */
const connections = 8;
const attackSeconds = 14;
const disconnectTimeoutMs = 60_000;
const shortList = toList("?status=available");

/** Of a process, on Linux. */
function readResources(pid: number) {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	const read = (name: string) =>
		Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
	return {
		mebibytes: read("VmRSS"),
		/** The highest value so far. */
		peakMebibytes: read("VmHWM"),
		descriptors: readdirSync(`/proc/${pid}/fd`).length,
	};
}

async function openAttackers(
	url: string,
	count: number,
	{ firstText, textPerSecond, reply }: Attack,
) {
	const { hostname, port } = new URL(url);
	let replies = 0;
	const handlers: Bun.SocketHandler<undefined> = {
		open(socket) {
			if (textPerSecond === undefined) socket.pause();
			socket.write(firstText);
		},
		data(_, data) {
			if (reply?.test(data.toString("latin1"))) replies++;
		},
		error() {},
	};
	const sockets = await Promise.all(
		Array.from({ length: count }, () =>
			Bun.connect({ hostname, port: Number(port), socket: handlers }),
		),
	);
	const timer = setInterval(() => {
		if (textPerSecond !== undefined)
			for (const socket of sockets) socket.write(textPerSecond);
	}, 1_000);
	return {
		/** How many sockets got their reply. */
		replies: () => replies,
		close() {
			clearInterval(timer);
			for (const socket of sockets) socket.terminate();
		},
	};
}
