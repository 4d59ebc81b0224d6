// Who is measured: how each server is started, as data.
import { accessSync, constants, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { petstore, root } from "../harness/process.ts";
import { toNginxConfiguration } from "./bounds/nginx.ts";
import { node, peersFolder } from "./peers.ts";
import { apiKey } from "./trials.ts";

export interface Target {
	readonly name: string;
	readonly what: string;
	/** What it keeps its animals in. */
	readonly catalogue: "sqlite" | "postgres" | "json" | "none";
	readonly runsOnNode?: true;
	/** Before the paths of the interface; `/v1` unless told. */
	readonly basePath?: string;
	/** The program without which it cannot be measured. */
	readonly needs?: string;
	/** Whether it says what our service said, which has to be recorded first. */
	readonly repeats?: true;
	readonly prepare?: (place: Place) => void;
	readonly command: (place: Place) => readonly [string, ...string[]];
}

/** What a process is given to live with. */
export interface Place {
	readonly port: number;
	/** A folder of its own. */
	readonly folder: string;
	/** A database URL or a file. */
	readonly catalogue: string;
	/** The file with the recorded reply. */
	readonly reply: string;
}

const bun = process.execPath;
const modules = `${peersFolder}/node_modules`;

export const targets = [
	{
		name: "embedded",
		what: "this service on its embedded engine",
		catalogue: "sqlite",
		command: ({ port, catalogue }) => serve(port, `sqlite:${catalogue}`),
	},
	{
		name: "postgres",
		what: "this service on PostgreSQL, which runs beside the load",
		catalogue: "postgres",
		command: ({ port, catalogue }) => serve(port, catalogue),
	},
	{
		name: "ceiling",
		what: "a bare Bun.serve that gives the same bytes to everyone and does nothing else",
		catalogue: "none",
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
		what: "nginx with the same bytes",
		catalogue: "none",
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
		what: "a pet store on Hono and bun:sqlite, written for this comparison",
		catalogue: "sqlite",
		command: ({ port, catalogue }) => [
			...([bun, `${peersFolder}/hono.js`] as const),
			...[String(port), catalogue],
		],
	},
	{
		name: "Fastify on Node",
		what: "a pet store on Fastify and better-sqlite3, written for this comparison",
		catalogue: "sqlite",
		runsOnNode: true,
		command: ({ port, catalogue }) => [
			...([node, `${peersFolder}/fastify.js`] as const),
			...[String(port), catalogue],
		],
	},
	{
		name: "json-server",
		what: "json-server, which checks no keys and no animals",
		catalogue: "json",
		runsOnNode: true,
		command: ({ port, catalogue }) => [
			...([node, `${modules}/json-server/lib/cli/bin.js`] as const),
			...["--host", "127.0.0.1", "--port", String(port), "--quiet"],
			...["--routes", `${peersFolder}/json-server-routes.json`, catalogue],
		],
	},
	{
		name: "Prism",
		what: "Prism's mock of our OpenAPI document, which keeps nothing",
		catalogue: "none",
		runsOnNode: true,
		basePath: "",
		command: ({ port }) => [
			...([node, `${modules}/@stoplight/prism-cli/dist/index.js`] as const),
			...["mock", "-h", "127.0.0.1", "-p", String(port), "-v", "silent"],
			// One process, as the others are.
			...["--multiprocess", "false", `${root}openapi.json`],
		],
	},
] as const satisfies readonly Target[];

export type TargetName = (typeof targets)[number]["name"];

/** All of them read the key from here. */
export const environment = { API_KEY: apiKey, NODE_ENV: "production" };

function serve(port: number, database: string): [string, ...string[]] {
	return [petstore, "serve", "--port", String(port), "--database", database];
}

/** Whether a program can be run by this name. */
export function isInstalled(program: string): boolean {
	const folders = (process.env.PATH ?? "").split(delimiter);
	return folders.some((folder) => {
		try {
			accessSync(join(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}
