// The trials, as data: which requests each of them sends.
import { toCursor } from "../../src/contract/cursor.ts";

export interface Trial {
	readonly name: string;
	/** Sent one after the other, then again from the first. */
	readonly requests: (facts: Facts) => readonly Template[];
	/** Whether it adds animals. Each server then needs its own copy of the catalogue. */
	readonly adds?: true;
	/** Whether every fsync of the server is delayed by 5 ms. */
	readonly slowDisk?: true;
	/** Further connections that add animals during the trial, each as fast as it gets replies. */
	readonly addConnections?: number;
}

/** What a trial must know of the server to build its requests. */
export interface Facts {
	readonly animals: number;
	/** The ETag of the first page. */
	readonly etag: string;
}

/** A request. Each time it is sent, `{number}` in its path, headers and body is replaced by another number. */
export interface Template {
	readonly method: "GET" | "POST";
	/** After the base path. */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** `random`: the id of a random animal. `padded`: the same with nine digits. `next`: a number of nine digits that was not used before. */
	readonly number?: "random" | "padded" | "next";
	/** The status of a correct reply. */
	readonly status: number;
}

export const list: Template = { method: "GET", path: "/pets", status: 200 };
const get: Template = {
	method: "GET",
	path: "/pets/{number}",
	number: "random",
	status: 200,
};
export const add: Template = {
	method: "POST",
	path: "/pets",
	headers: { "Content-Type": "application/json" },
	body: '{"name":"Rex {number}","categoryId":9007199254740,"status":"pending"}',
	number: "next",
	status: 201,
};

export const trials = [
	{ name: "list", requests: () => [list] },
	{
		name: "list with status and limit",
		requests: () => [{ ...list, path: "/pets?status=available&limit=20" }],
	},
	{
		name: "list with an add after every 300",
		adds: true,
		requests: () => [...Array(300).fill(list), add],
	},
	{ name: "get", requests: () => [get] },
	{
		name: "304 by ETag",
		requests: ({ etag }) => [
			{ ...list, headers: { "If-None-Match": etag }, status: 304 },
		],
	},
	{
		name: "401",
		requests: () => [
			{ ...list, headers: { Authorization: "Bearer wrong" }, status: 401 },
		],
	},
	{ name: "add", adds: true, requests: () => [add] },
	{
		name: "add with Idempotency-Key",
		adds: true,
		requests: () => [
			{
				...add,
				headers: { ...add.headers, "Idempotency-Key": "order-{number}" },
			},
		],
	},
	{
		name: "mix of 90 reads, 10 adds",
		adds: true,
		requests: () => [...Array(9).fill([list, get]).flat(), add, add],
	},
	{ name: "walk by cursor", requests: ({ animals }) => walk(animals) },
] as const satisfies readonly Trial[];

export type TrialName = (typeof trials)[number]["name"];

/** A walk starts at the newest animal, and starts again after this many pages. */
const maxWalkPages = 5_000;
const pageSize = 20;

function walk(animals: number): readonly Template[] {
	const pages = Math.min(maxWalkPages, animals / pageSize);
	return Array.from({ length: pages }, (_, page) => {
		const lastId = BigInt(animals - page * pageSize + 1);
		return {
			...list,
			path: `/pets?cursor=${toCursor(lastId, {})}`,
		};
	});
}

/** Lists at a steady rate, to measure the latency of a server that is not saturated. */
export const steadyRateTrials = [
	{ name: "list at half the peak rate", requests: () => [list] },
	{
		name: "list at half the peak rate, slow disk",
		requests: () => [list],
		slowDisk: true,
	},
	{
		name: "list at half the peak rate, slow disk, 8 clients add",
		requests: () => [list],
		slowDisk: true,
		adds: true,
		addConnections: 8,
	},
] as const satisfies readonly Trial[];

export type SteadyRateTrialName = (typeof steadyRateTrials)[number]["name"];
