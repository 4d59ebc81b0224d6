// The targets, as data: this service, servers that only reply, and what others use instead.
import { writeFileSync } from "node:fs";
import { petstore, root } from "../../test/harness/process.ts";
import { toNginxConfiguration } from "../bounds/nginx.ts";
import { isInstalled } from "../machine/programs.ts";
import { peerKey } from "./keys.ts";
import { peerTargets } from "./peer-targets.ts";
import type { Target } from "./target.ts";

const ownTargets = [
	{
		name: "embedded",
		description: "this service on SQLite, its embedded engine",
		storage: "sqlite",
		command: ({ port, catalogue }) => serve(port, `sqlite:${catalogue}`),
	},
	{
		name: "postgres",
		description:
			"this service on PostgreSQL, which runs on the same cores as the load generator. PostgreSQL's processor time is shown beside that of the service",
		storage: "postgres",
		command: ({ port, catalogue }) => serve(port, catalogue),
	},
	{
		name: "embedded, 400 MB",
		description: "this service on SQLite with `--memory 400MB`",
		storage: "sqlite",
		command: ({ port, catalogue }) =>
			serve(port, `sqlite:${catalogue}`, "--memory", "400MB"),
	},
] as const satisfies readonly Target[];

const boundTargets = [
	{
		name: "ceiling",
		description:
			"a bare Bun.serve that sends the status, headers and body of our reply to each request, and does nothing else",
		storage: "none",
		repeats: true,
		command: ({ port, replies }) => [
			process.execPath,
			`${root}bench/bounds/ceiling.ts`,
			String(port),
			replies,
		],
	},
	{
		name: "nginx",
		description: "nginx, which sends the same reply to every request",
		storage: "none",
		findObstacle: () =>
			isInstalled("nginx")
				? undefined
				: "nginx is not installed, so it was not measured.",
		repeats: true,
		prepare: ({ folder, port, replies }) =>
			writeFileSync(
				`${folder}/nginx.conf`,
				toNginxConfiguration(port, folder, replies),
			),
		command: ({ folder }) => [
			...(["nginx", "-p", folder, "-c", `${folder}/nginx.conf`] as const),
			...["-e", `${folder}/error.log`],
		],
	},
] as const satisfies readonly Target[];

export const targets = [
	...ownTargets,
	...boundTargets,
	...peerTargets,
] as const satisfies readonly Target[];

export type TargetName = (typeof targets)[number]["name"];

/** Our service gets no key here: its catalogue has keys. */
export const environment = { API_KEY: peerKey, NODE_ENV: "production" };

function serve(
	port: number,
	database: string,
	...flags: readonly string[]
): [string, ...string[]] {
	const own = ["--port", String(port), "--database", database];
	return [petstore, "serve", ...own, ...flags];
}
