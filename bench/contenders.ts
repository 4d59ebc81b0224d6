// The servers that are measured: the service of a checkout, a bare server, and two peers that were written for this comparison.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../test/harness/process.ts";

export type Contender = { readonly name: string } & (
	| { readonly kind: "service"; readonly program: string }
	/** Sends one recorded reply of the service, and does nothing else. No server on Bun can be faster. */
	| { readonly kind: "bare" }
	| {
			readonly kind: "peer";
			readonly command: readonly [string, string];
			/** The operations that it has. */
			readonly operations: readonly string[];
	  }
);

const folder = `${root}bench/peers`;
const operations = ["list", "list with query", "get", "401", "add"];

export const bare: Contender = { name: "bare server", kind: "bare" };

export const peers: readonly Contender[] = [
	{
		name: "Hono on Bun",
		kind: "peer",
		command: [process.execPath, `${folder}/hono.js`],
		operations,
	},
	{
		name: "Fastify on Node",
		kind: "peer",
		command: [
			`${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`,
			`${folder}/fastify.js`,
		],
		operations,
	},
];

/** The key that peers accept. */
export const peerKey = "the-only-key-of-a-peer";

/** The command that listens on a port. `location` is the URL of a database, the path of one, or that of a recorded reply. */
export function toCommand(
	contender: Contender,
	port: number,
	location: string,
): readonly string[] {
	const number = String(port);
	switch (contender.kind) {
		case "service":
			return [
				...[contender.program, "serve", "--host", "127.0.0.1"],
				...["--port", number, "--database", location],
			];
		case "bare":
			return [process.execPath, `${root}bench/bare.ts`, number, location];
		case "peer":
			return [...contender.command, number, location];
	}
}

/** Installs the packages of the peers, unless they are installed in these versions. */
export function installPeers(): void {
	const wanted: Record<string, string> = readPackage(folder).dependencies;
	const isInstalled = Object.entries(wanted).every(([name, version]) => {
		const installed = `${folder}/node_modules/${name}`;
		return existsSync(installed) && readPackage(installed).version === version;
	});
	if (isInstalled) return;
	console.error("Installing the peers from npm.");
	execFileSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], {
		cwd: folder,
		stdio: ["ignore", 2, 2],
	});
}

function readPackage(path: string) {
	return JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
}
