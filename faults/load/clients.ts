// Many clients, each with a socket and one request at a time, and the statuses and times of their replies.
import { request } from "../../test/harness/raw.ts";
import { apiKey } from "../service.ts";

export interface ClientResults {
	readonly seconds: number;
	/** The number of replies by status. */
	readonly statuses: ReadonlyMap<number, number>;
	/** Milliseconds from a request to its reply, for replies with these statuses. */
	readonly times: (isCounted: (status: number) => boolean) => readonly number[];
	/** Connections that ended without a reply. */
	readonly lost: number;
}

export interface ClientOptions {
	readonly connections: number;
	readonly seconds: number;
	/** The text of the next request. */
	readonly next: () => string;
	/** Requests per second of all clients together. Without it, each client sends its next request at once after a reply. */
	readonly rate?: number;
}

/** The time starts when all clients are connected. */
export async function runClients(
	url: string,
	{ connections, seconds, next, rate }: ClientOptions,
): Promise<ClientResults> {
	// Only numbers, because a long run has millions of replies.
	const times = new Map<number, number[]>();
	let lost = 0;
	const clients = await Promise.all(
		Array.from({ length: connections }, () => openClient(url)),
	);
	const begun = performance.now();
	const until = begun + seconds * 1000;
	const pauseMs = rate === undefined ? 0 : (connections / rate) * 1000;

	const work = async (send: Client, number: number) => {
		let due = begun + (pauseMs * number) / connections;
		for (; performance.now() < until; due += pauseMs) {
			const wait = due - performance.now();
			if (wait > 1) await Bun.sleep(wait);
			const sentAt = performance.now();
			const status = await send(next());
			if (status === undefined) return lost++;
			const known = times.get(status) ?? [];
			known.push(performance.now() - sentAt);
			times.set(status, known);
		}
		return send("");
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

/** Resolves with the status of the reply, or undefined if the connection ended. Empty text closes the connection. */
type Client = (text: string) => Promise<number | undefined>;

async function openClient(url: string): Promise<Client> {
	const { hostname, port } = new URL(url);
	let received = "";
	let resolveReply = (_status: number | undefined) => {};
	const socket = await Bun.connect({
		hostname,
		port: Number(port),
		socket: {
			data(_, data) {
				received += data.toString("latin1");
				const status = toStatus(received);
				if (status !== undefined) resolveReply(status);
			},
			close: () => resolveReply(undefined),
			error: () => resolveReply(undefined),
		},
	});
	return (text) =>
		new Promise((resolve) => {
			received = "";
			resolveReply = resolve;
			if (text === "") socket.end();
			else socket.write(text);
		});
}

/** The status of a reply, or undefined until its whole body has arrived. */
function toStatus(received: string): number | undefined {
	const end = received.indexOf("\r\n\r\n");
	if (end < 0) return undefined;
	const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1];
	const hasBody = received.length >= end + 4 + Number(length ?? 0);
	return hasBody ? Number(received.slice(9, 12)) : undefined;
}

export function successesPerSecond({ times, seconds }: ClientResults): number {
	return times((status) => status < 300).length / seconds;
}

/** Of the reply times, in milliseconds. */
export function percentile99({ times }: ClientResults): number {
	return quantile(
		times(() => true),
		0.99,
	);
}

/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
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

export function slowestMs({ times }: ClientResults): number {
	return times(() => true).reduce((most, ms) => Math.max(most, ms), 0);
}
