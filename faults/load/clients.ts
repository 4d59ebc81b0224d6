// Many clients, each with a socket and one request at a time, and the statuses and times of their replies.
import { open } from "../../test/harness/connection.ts";
import { request } from "../../test/harness/raw.ts";
import { apiKey } from "../service.ts";

export type Replies = Awaited<ReturnType<typeof runClients>>;

interface ClientOptions {
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
	{
		connections,
		seconds,
		next,
		rate = Number.POSITIVE_INFINITY,
	}: ClientOptions,
) {
	/** Replies by their status. */
	const statuses = new Map<number, number>();
	const timesMs: number[] = [];
	let lost = 0;
	const clients = await Promise.all(
		Array.from({ length: connections }, () => open(url)),
	);
	const begun = performance.now();
	const pauseMs = (connections / rate) * 1000;
	await Promise.all(
		clients.map(async (client, number) => {
			let due = begun + (pauseMs * number) / connections;
			for (; performance.now() < begun + seconds * 1000; due += pauseMs) {
				const wait = due - performance.now();
				if (wait > 1) await Bun.sleep(wait);
				const sentAt = performance.now();
				const reply = await client.send(next()).catch(() => undefined);
				if (reply === undefined) {
					lost++;
					break;
				}
				timesMs.push(performance.now() - sentAt);
				const status = Number(reply.slice(9, 12));
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
			}
			client.close();
		}),
	);
	const successes = (statuses.get(200) ?? 0) + (statuses.get(201) ?? 0);
	const perSecond = successes / ((performance.now() - begun) / 1000);
	/** Connections that ended without a reply are `lost`. */
	return { statuses, timesMs, lost, perSecond };
}

/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

const authorization = `Authorization: Bearer ${apiKey}`;

export const toList = (query: string) =>
	request(`GET /v1/pets${query}`, [authorization]);

const pet = '{"name":"Rex","categoryId":1}';
export const addRequest = request(
	"POST /v1/pets",
	[authorization, `Content-Length: ${pet.length}`],
	pet,
);
