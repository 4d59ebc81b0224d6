// Thousands of sockets that send or read as slowly as they can: others go on, the attackers are let go within a minute.
import { type Running, serve } from "../harness/process.ts";
import { request } from "../harness/raw.ts";
import { addRequest, listRequest, longest, sendCrowd } from "./crowd.ts";
import { type Bearing, holdings, type StrainSetting } from "./strain.ts";
import { apiKey } from "./trial.ts";

export function slowHeader(setting: StrainSetting): Promise<Bearing> {
	return attack(setting, { sends: "GET /v1/pets HTTP/1.1\r\nX: ", drips: "x" });
}

export function slowBody(setting: StrainSetting): Promise<Bearing> {
	const sends = addRequest("Rex").split("{")[0] ?? "";
	return attack(setting, { sends, drips: " ", reply: /^HTTP\/1\.1 408 / });
}

export function slowReader(setting: StrainSetting): Promise<Bearing> {
	const sends = request(`GET ${attackedPath}`, [
		`Authorization: Bearer ${apiKey}`,
	]);
	return attack(setting, { sends });
}

interface Attack {
	readonly sends: string;
	/** What is sent every second after it; nothing, and nothing is read either. */
	readonly drips?: string;
	/** What each must be told. */
	readonly reply?: RegExp;
}

async function attack(
	{ program, folder, size }: StrainSetting,
	way: Attack,
): Promise<Bearing> {
	const service = await serve(["--database", `sqlite:${folder}/petstore.db`], {
		program,
		cwd: folder,
		env: { API_KEY: apiKey },
	});
	if (way.drips === undefined) await addLongNames(service.url);
	const isLong = async () => (await attackedLength(service.url)) > 5_000_000;
	if (way.drips === undefined && !(await isLong()))
		throw new Error("there is no long list to read slowly");
	const neighbours = (seconds: number) =>
		sendCrowd(service.url, {
			connections: 8,
			seconds,
			rate: 200,
			next: () => (Math.random() < 0.5 ? neighbourList : addRequest("Rex")),
		});
	await neighbours(1);
	const before = holdings(service.pid);
	const begun = performance.now();
	const attackers = await openAttackers(service.url, size, way);
	const watch = watchHoldings(service);
	const crowd = await neighbours(attackSeconds);
	const few = before.handles + 20;
	while (
		holdings(service.pid).handles >= few &&
		performance.now() - begun < longestMs
	)
		await Bun.sleep(250);
	const { mostMebibytes, mostHandles, goneAt } = watch.stop(few);
	await Bun.sleep(2_000);
	const after = holdings(service.pid);
	const isAsBefore = way.drips !== undefined || (await isLong());
	if (way.drips === undefined && attackers.read() > 0)
		throw new Error("a slow reader has read");
	attackers.close();
	service.kill("SIGTERM");
	await service.finished;
	const odd = [...crowd.statuses.keys()].filter((status) => status >= 300);
	const told = way.reply === undefined ? size : attackers.told();
	return {
		figures: [
			`gone after ${((goneAt - begun) / 1000).toFixed(0)} s`,
			`others: answered within ${longest(crowd).toFixed(0)} ms`,
			`memory ${before.mebibytes.toFixed(0)} MiB, at most ${mostMebibytes.toFixed(0)}, then ${after.mebibytes.toFixed(0)}`,
		],
		wrong: [
			...(mostHandles < before.handles + size ? ["not all attacked"] : []),
			...(after.handles >= few ? ["attackers stayed"] : []),
			...(isAsBefore ? [] : ["the long list is not answered any more"]),
			...odd.map((status) => `others got ${status}`),
			...(crowd.lost > 0 ? [`others lost ${crowd.lost} connections`] : []),
			...(longest(crowd) > 1_000 ? ["others had to wait"] : []),
			...(told < size ? [`only ${told} attackers were told 408`] : []),
			...(mostMebibytes > before.mebibytes + 768 ? ["memory grew"] : []),
			...(after.mebibytes > before.mebibytes + 128
				? ["memory did not return"]
				: []),
		],
	};
}

const attackedPath = "/v1/pets?status=pending&limit=100";
const attackSeconds = 14;
const longestMs = 60_000;
const neighbourList = listRequest.replace(
	"/v1/pets",
	"/v1/pets?status=available",
);

/** A hundred animals whose list is several megabytes, apart from those that the others see. */
async function addLongNames(url: string): Promise<void> {
	let left = 100;
	const next = () => {
		left--;
		return addRequest("x".repeat(60_000), "pending");
	};
	while (left > 0) await sendCrowd(url, { connections: 4, seconds: 0.1, next });
}

/** Of the list that slow readers ask for. */
async function attackedLength(url: string): Promise<number> {
	const headers = { Authorization: `Bearer ${apiKey}` };
	const list = await fetch(url + attackedPath, { headers });
	return (await list.text()).length;
}

interface Attackers {
	/** How many got the reply that each must get. */
	readonly told: () => number;
	/** How often one of them has read. */
	readonly read: () => number;
	readonly close: () => void;
}

async function openAttackers(
	url: string,
	count: number,
	{ sends, drips, reply }: Attack,
): Promise<Attackers> {
	const { hostname, port } = new URL(url);
	let told = 0;
	let read = 0;
	const sockets = await Promise.all(
		Array.from({ length: count }, () =>
			Bun.connect({
				hostname,
				port: Number(port),
				socket: {
					open(socket) {
						if (drips === undefined) socket.pause();
						socket.write(sends);
					},
					data(_, data) {
						read++;
						if (reply?.test(data.toString("latin1"))) told++;
					},
					error() {},
				},
			}),
		),
	);
	const timer = setInterval(() => {
		if (drips !== undefined) for (const socket of sockets) socket.write(drips);
	}, 1_000);
	return {
		told: () => told,
		read: () => read,
		close() {
			clearInterval(timer);
			for (const socket of sockets) socket.terminate();
		},
	};
}

/** Looks four times a second. */
function watchHoldings({ pid }: Running): {
	stop: (handles: number) => {
		mostMebibytes: number;
		mostHandles: number;
		goneAt: number;
	};
} {
	const seen: { at: number; mebibytes: number; handles: number }[] = [];
	const timer = setInterval(() => {
		seen.push({ at: performance.now(), ...holdings(pid) });
	}, 250);
	return {
		stop(handles) {
			clearInterval(timer);
			const there = seen.filter((one) => one.handles >= handles);
			return {
				mostMebibytes: Math.max(...seen.map(({ mebibytes }) => mebibytes)),
				mostHandles: Math.max(...seen.map((one) => one.handles)),
				goneAt: there.at(-1)?.at ?? seen[0]?.at ?? 0,
			};
		},
	};
}
