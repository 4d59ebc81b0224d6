// The targets, as data: which servers are measured, and how each of them is started.
import { writeFileSync } from "node:fs";
import { petstore, root } from "../../harness/process.ts";
import { toNginxConfiguration } from "../bounds/nginx.ts";
import { node, peersFolder } from "../peers/install.ts";
import { apiKey } from "./trials.ts";

export interface Target {
	readonly name: string;
	readonly description: string;
	/** Where it stores its animals. */
	readonly storage: "sqlite" | "postgres" | "json" | "none";
	readonly runsOnNode?: true;
	/** The default is `/v1`. */
	readonly basePath?: string;
	/** A program that must be installed. Without it the target is left out. */
	readonly needs?: string;
	/** Whether it sends a reply of our service, which must be recorded first. */
	readonly repeats?: true;
	/** Runs before the process is started. */
	readonly prepare?: (options: ServerOptions) => void;
	readonly command: (options: ServerOptions) => readonly [string, ...string[]];
}

/** What the process of a target is given. */
export interface ServerOptions {
	readonly port: number;
	/** An empty folder that no other process uses. */
	readonly folder: string;
	/** The URL or the path of its catalogue. */
	readonly catalogue: string;
	/** The path of the recorded reply. */
	readonly reply: string;
}

const bun = process.execPath;
const modules = `${peersFolder}/node_modules`;

export const targets = [
	{
		name: "embedded",
		description: "this service on SQLite, its embedded engine",
		storage: "sqlite",
		command: ({ port, catalogue }) => serve(port, `sqlite:${catalogue}`),
	},
	{
		name: "postgres",
		description:
			"this service on PostgreSQL, which runs on the same cores as the load generator",
		storage: "postgres",
		command: ({ port, catalogue }) => serve(port, catalogue),
	},
	{
		name: "ceiling",
		description:
			"a bare Bun.serve that answers every request with the same bytes and does nothing else",
		storage: "none",
		repeats: true,
		command: ({ port, reply }) => [
			bun,
			`${root}bench/bounds/ceiling.ts`,
			String(port),
			reply,
		],
	},
	{
		name: "nginx",
		description: "nginx, which answers every request with the same bytes",
		storage: "none",
		needs: "nginx",
		repeats: true,
		prepare: ({ folder, port, reply }) =>
			writeFileSync(
				`${folder}/nginx.conf`,
				toNginxConfiguration(port, folder, reply),
			),
		command: ({ folder }) => [
			...(["nginx", "-p", folder, "-c", `${folder}/nginx.conf`] as const),
			...["-e", `${folder}/error.log`],
		],
	},
	{
		name: "Hono on Bun",
		description:
			"a pet store on Hono and bun:sqlite, written for this comparison",
		storage: "sqlite",
		command: ({ port, catalogue }) => [
			...([bun, `${peersFolder}/hono.js`] as const),
			...[String(port), catalogue],
		],
	},
	{
		name: "Fastify on Node",
		description:
			"a pet store on Fastify and better-sqlite3, written for this comparison",
		storage: "sqlite",
		runsOnNode: true,
		command: ({ port, catalogue }) => [
			...([node, `${peersFolder}/fastify.js`] as const),
			...[String(port), catalogue],
		],
	},
	{
		name: "json-server",
		description:
			"json-server, which checks no API keys and validates no animals",
		storage: "json",
		runsOnNode: true,
		command: ({ port, catalogue }) => [
			...([node, `${modules}/json-server/lib/cli/bin.js`] as const),
			...["--host", "127.0.0.1", "--port", String(port), "--quiet"],
			...["--routes", `${peersFolder}/json-server-routes.json`, catalogue],
		],
	},
	{
		name: "Prism",
		description: "Prism's mock of our OpenAPI document, which stores nothing",
		storage: "none",
		runsOnNode: true,
		basePath: "",
		command: ({ port }) => [
			...([node, `${modules}/@stoplight/prism-cli/dist/index.js`] as const),
			...["mock", "-h", "127.0.0.1", "-p", String(port), "-v", "silent"],
			// One process, like the other targets.
			...["--multiprocess", "false", `${root}openapi.json`],
		],
	},
] as const satisfies readonly Target[];

export type TargetName = (typeof targets)[number]["name"];

/** Every target that checks API keys reads the key from here; checkouts from before PETSTORE_API_KEY and the peers from API_KEY. */
export const environment = {
	PETSTORE_API_KEY: apiKey,
	API_KEY: apiKey,
	NODE_ENV: "production",
};

function serve(port: number, database: string): [string, ...string[]] {
	return [petstore, "serve", "--port", String(port), "--database", database];
}
