// The other servers, as data: how to start each one, and why it fails cases of the interface document.
import { writeFileSync } from "node:fs";
import { node, peersFolder } from "../bench/peers/install.ts";
import benchPackages from "../bench/peers/package.json" with { type: "json" };
import type { ServerOptions, Target } from "../bench/plan/target.ts";
import { type TargetName, targets } from "../bench/plan/targets.ts";
import { root } from "../harness/process.ts";
import {
	fastifyCauses,
	honoCauses,
	jsonServerCauses,
	mockoonCauses,
	prismCauses,
	scalarCauses,
} from "./causes.ts";
import type { Cause } from "./judge.ts";
import ownPackages from "./servers/package.json" with { type: "json" };

export interface Peer extends Target {
	/** The package with its version, and how to use it, in Markdown, for the table. */
	readonly usage: string;
	readonly causes: readonly Cause[];
}

const ownFolder = `${root}peers/servers`;

/** The folders whose packages the servers need. */
export const folders = [peersFolder, ownFolder];

const versions = { ...benchPackages.dependencies, ...ownPackages.dependencies };
const bun = process.execPath;
const document = `${root}openapi.json`;
const mockoon = `${ownFolder}/node_modules/@mockoon/cli/bin/run.js`;
const jsonServer = `${peersFolder}/node_modules/json-server/lib/cli/bin.js`;

export const peers: readonly Peer[] = [
	{
		...benchTarget("Prism"),
		usage: `${versionOf("@stoplight/prism-cli")}, \`mock\` on our openapi.json`,
		causes: prismCauses,
	},
	{
		name: "Scalar",
		description: "Scalar's mock of our OpenAPI document, which stores nothing",
		storage: "none",
		basePath: "",
		command: ({ port }) => [
			...([bun, `${ownFolder}/scalar.js`] as const),
			...[String(port), document],
		],
		usage: `${versionOf("@scalar/mock-server")} on our openapi.json`,
		causes: scalarCauses,
	},
	{
		name: "Mockoon",
		description: "Mockoon's mock of our OpenAPI document, which stores nothing",
		storage: "none",
		command: ({ port }) => [
			...([node, mockoon] as const),
			...["start", "--data", document, "--port", String(port)],
			...["--hostname", "127.0.0.1"],
			...["--disable-log-to-file", "--disable-admin-api"],
		],
		usage: `${versionOf("@mockoon/cli")}, \`start\` on our openapi.json`,
		causes: mockoonCauses,
	},
	{
		name: "json-server",
		description: "json-server on a file, which checks nothing",
		storage: "json",
		basePath: "",
		prepare: ({ folder }) =>
			writeFileSync(`${folder}/db.json`, JSON.stringify({ pets: [] })),
		command: ({ port, folder }) => [
			...([node, jsonServer] as const),
			...["--host", "127.0.0.1", "--port", String(port), "--quiet"],
			`${folder}/db.json`,
		],
		usage: `${versionOf("json-server")} on a \`db.json\` with an empty list \`pets\``,
		causes: jsonServerCauses,
	},
	{
		...benchTarget("Hono on Bun"),
		usage: `bench/peers/hono.js on ${versionOf("hono")}, written for our benchmark`,
		causes: honoCauses,
	},
	{
		...benchTarget("Fastify on Node"),
		usage: `bench/peers/fastify.js on ${versionOf("fastify")}, written for our benchmark`,
		causes: fastifyCauses,
	},
];

/** Starts it as the benchmark does, with a new catalogue. */
function benchTarget(name: TargetName): Target {
	const target: Target | undefined = targets.find((one) => one.name === name);
	if (target === undefined) throw new Error(`there is no target ${name}`);
	return {
		...target,
		command: (options: ServerOptions) =>
			target.command({ ...options, catalogue: `${options.folder}/pets.db` }),
	};
}

function versionOf(name: keyof typeof versions): string {
	return `\`${name}\` ${versions[name]}`;
}
