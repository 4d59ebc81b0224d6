// Alternatives to this service, as data.
import { root } from "../../test/harness/process.ts";
import { node, peersFolder } from "../peers/install.ts";
import { pocketBase } from "../peers/pocketbase/target.ts";
import { swaggerPetstore } from "../peers/swagger-petstore.ts";
import { peerKey } from "./keys.ts";
import type { Target } from "./target.ts";

const modules = `${peersFolder}/node_modules`;

export const peerTargets = [
	{
		name: "Hono on Bun",
		description:
			"a pet store on Hono and bun:sqlite, written for this comparison",
		storage: "sqlite",
		keys: [peerKey],
		command: ({ port, catalogue }) => [
			...([process.execPath, `${peersFolder}/hono.js`] as const),
			...[String(port), catalogue],
		],
	},
	{
		name: "Fastify on Node",
		description:
			"a pet store on Fastify and better-sqlite3, written for this comparison",
		storage: "sqlite",
		runsOnNode: true,
		keys: [peerKey],
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
	pocketBase,
	swaggerPetstore,
] as const satisfies readonly Target[];
