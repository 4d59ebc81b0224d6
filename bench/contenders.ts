// The servers that are measured: the service of a checkout, a bare server, and two peers that were written for this comparison.
import { execFileSync } from "node:child_process";
import { root } from "../test/harness/process.ts";

export type Contender = { readonly name: string } & (
	| { readonly kind: "service"; readonly program: string }
	/** Sends one recorded reply of the service, and does nothing else. No server on Bun can be faster. */
	| { readonly kind: "bare" }
	| {
			readonly kind: "peer";
			readonly command: readonly [string, string];
	  }
);

const folder = `${root}bench/peers`;
/** The operations that peers have. */
export const peerOperations = ["list", "list with query", "get", "401", "add"];

export const bare: Contender = { name: "bare server", kind: "bare" };

export const peers: readonly Contender[] = [
	{
		name: "Hono on Bun",
		kind: "peer",
		command: [process.execPath, `${folder}/hono.js`],
	},
	{
		name: "Fastify on Node",
		kind: "peer",
		command: [
			`${folder}/node_modules/node-${process.platform}-${process.arch}/bin/node`,
			`${folder}/fastify.js`,
		],
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

export function installPeers(): void {
	console.error("Installing the peers from npm.");
	execFileSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], {
		cwd: folder,
		stdio: ["ignore", 2, 2],
	});
}
