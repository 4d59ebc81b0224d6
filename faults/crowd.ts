// Many clients over sockets of their own, each with one request at a time: what they got, and how long it took.
import { request } from "../harness/raw.ts";
import { quantile } from "./strain.ts";
import { apiKey } from "./trial.ts";

export interface Crowd {
	readonly seconds: number;
	/** How often each status came. */
	readonly statuses: ReadonlyMap<number, number>;
	/** Milliseconds from a request to its reply, of those with such a status. */
	readonly times: (isCounted: (status: number) => boolean) => readonly number[];
	/** Connections that ended without a reply. */
	readonly lost: number;
}

export interface CrowdOptions {
	readonly connections: number;
	readonly seconds: number;
	/** The text of the next request. */
	readonly next: () => string;
	/** All of them together, in a second; as many as there can be if not given. */
	readonly rate?: number;
}

/** The time begins when all are connected. */
export async function sendCrowd(
	url: string,
	{ connections, seconds, next, rate }: CrowdOptions,
): Promise<Crowd> {
	// Plain numbers: a long run has millions.
	const times = new Map<number, number[]>();
	let lost = 0;
	const clients = await Promise.all(
		Array.from({ length: connections }, () => openClient(url)),
	);
	const begun = performance.now();
	const until = begun + seconds * 1000;
	const pauseMs = rate === undefined ? 0 : (connections / rate) * 1000;

	const work = async (ask: Client, number: number) => {
		let due = begun + (pauseMs * number) / connections;
		for (; performance.now() < until; due += pauseMs) {
			const wait = due - performance.now();
			if (wait > 1) await Bun.sleep(wait);
			const sentAt = performance.now();
			const status = await ask(next());
			if (status === undefined) return lost++;
			const known = times.get(status) ?? [];
			known.push(performance.now() - sentAt);
			times.set(status, known);
		}
		return ask("");
	};

	await Promise.all(clients.map(work));
	return {
		seconds: (performance.now() - begun) / 1000,
		statuses: new Map([...times].map(([status, all]) => [status, all.length])),
		times: (isCounted) =>
			[...times].flatMap(([status, all]) => (isCounted(status) ? all : [])),
		lost,
	};
}

/** Sends a request and resolves with the status of its reply, or undefined when the connection ended; no text ends it. */
type Client = (text: string) => Promise<number | undefined>;

async function openClient(url: string): Promise<Client> {
	const { hostname, port } = new URL(url);
	let received = "";
	let settle = (_status: number | undefined) => {};
	const socket = await Bun.connect({
		hostname,
		port: Number(port),
		socket: {
			data(_, data) {
				received += data.toString("latin1");
				const status = toStatus(received);
				if (status !== undefined) settle(status);
			},
			close: () => settle(undefined),
			error: () => settle(undefined),
		},
	});
	return (text) =>
		new Promise((resolve) => {
			received = "";
			settle = resolve;
			if (text === "") socket.end();
			else socket.write(text);
		});
}

/** Of a reply that is there with all of its body; undefined before. */
function toStatus(received: string): number | undefined {
	const end = received.indexOf("\r\n\r\n");
	if (end < 0) return undefined;
	const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1];
	const hasBody = received.length >= end + 4 + Number(length ?? 0);
	return hasBody ? Number(received.slice(9, 12)) : undefined;
}

/** Replies that did what was asked for, in a second. */
export function usefulWork({ times, seconds }: Crowd): number {
	return times((status) => status < 300).length / seconds;
}

/** Milliseconds that 99 of 100 replies stay below. */
export function percentile99({ times }: Crowd): number {
	return quantile(
		times(() => true),
		0.99,
	);
}

const authorization = `Authorization: Bearer ${apiKey}`;

export const listRequest = request("GET /v1/pets", [authorization]);

export function addRequest(name: string, status = "available"): string {
	const body = JSON.stringify({ name, categoryId: 1, status });
	return request(
		"POST /v1/pets",
		[
			authorization,
			"Content-Type: application/json",
			`Content-Length: ${body.length}`,
		],
		body,
	);
}

/** The longest that any reply took, in milliseconds. */
export function longest({ times }: Crowd): number {
	return times(() => true).reduce((most, ms) => Math.max(most, ms), 0);
}
