// What is measured: the requests of each trial, as data.
import { toCursor } from "../src/contract/cursor.ts";

export interface Trial {
	readonly name: string;
	/** They are sent in turn, again and again. */
	readonly requests: (facts: Facts) => readonly Template[];
	/** Whether it changes the catalogue, so that every process needs a copy of its own. */
	readonly adds?: true;
}

/** What a trial knows of the server that it runs against. */
export interface Facts {
	readonly animals: number;
	/** Of the first page. */
	readonly etag: string;
}

/** A request; `{number}` in it stands for a number that is drawn for each one that is sent. */
export interface Template {
	readonly method: "GET" | "POST";
	/** Below the base path. */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
	/** The id of any animal, or a number of nine digits that none had before. */
	readonly number?: "random" | "next";
	readonly status: number;
}

export const apiKey = "the-key-of-the-benchmark";

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
		name: "list by status",
		requests: () => [{ ...list, path: "/pets?status=sold" }],
	},
	{
		name: "list of 100",
		requests: () => [{ ...list, path: "/pets?limit=100" }],
	},
	{ name: "walk by cursor", requests: ({ animals }) => walk(animals) },
	{ name: "get", requests: () => [get] },
	{
		name: "304 by ETag",
		requests: ({ etag }) => [
			{ ...list, headers: { "If-None-Match": etag }, status: 304 },
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
	{
		name: "401",
		requests: () => [
			{ ...list, headers: { Authorization: "Bearer wrong" }, status: 401 },
		],
	},
] as const satisfies readonly Trial[];

export type TrialName = (typeof trials)[number]["name"];

/** From the newest animal on; begun anew after so many pages. */
const longestWalk = 5_000;
const pageSize = 20;

function walk(animals: number): readonly Template[] {
	const pages = Math.min(longestWalk, animals / pageSize);
	return Array.from({ length: pages }, (_, page) => {
		const lastId = BigInt(animals - page * pageSize + 1);
		return {
			...list,
			path: `/pets?cursor=${toCursor(lastId, { status: undefined })}`,
		};
	});
}

/** Reads at a steady rate, for the time that one takes when the server has some to spare. */
export interface PacedTrial {
	readonly name: string;
	/** Whether every fsync takes 5 ms more. */
	readonly slowDisk?: true;
	/** Connections that add meanwhile, as fast as they are answered. */
	readonly adders?: number;
}

export const pacedTrials = [
	{ name: "list at half the peak rate" },
	{ name: "list at half the peak rate, slow disk", slowDisk: true },
	{
		name: "list at half the peak rate, slow disk, 8 clients add",
		slowDisk: true,
		adders: 8,
	},
] as const satisfies readonly PacedTrial[];

export type PacedTrialName = (typeof pacedTrials)[number]["name"];
