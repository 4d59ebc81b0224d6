// What a surrounding does to the processes in it: commands that run another command, whose words follow.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { unprivileged } from "../harness/postgres/process.ts";
import { root, start } from "../harness/process.ts";

export type Words = readonly string[];

const isRoot = process.getuid?.() === 0;

/** After a line of the shell, with what it has set. */
export const inShell = (line: string): Words => [
	...["bash", "-c", `${line} && exec "$@"`, "bash"],
];

/** In a mount namespace of its own, which ends with it. */
export const inMounts = (line: string): Words => [
	...["unshare", "--mount", ...inShell(line)],
];

/** Covers this project, so that nothing of it can be read. Only root may do that. */
const cover = inMounts(`mount -t tmpfs none '${root}'`);
const canCover =
	isRoot && spawnSync("unshare", [...cover.slice(1), "true"]).status === 0;
export const withoutProject: Words = canCover ? cover : [];

/** A user who owns neither the package nor the project; without root the one who runs the tests. */
export const other = unprivileged();
export const asOther: Words = isRoot
	? [
			...["setpriv", `--reuid=${other.uid}`, `--regid=${other.gid}`],
			...["--clear-groups", "env", "HOME=/nonexistent"],
		]
	: [];

/** A network of its own, which ends with `close`. It has only a loopback interface. */
export async function openNetwork(line: string) {
	const open = `ip link set lo up && ${line} && echo open && exec sleep 600`;
	const holder = start(["unshare", "--net", "sh", "-c", open], { cwd: "/" });
	await holder.printed(/open/);
	const within: Words = ["nsenter", "--net", `--target=${holder.pid}`];
	return {
		within,
		async close() {
			await holder.stop();
		},
	};
}

/** What this machine lacks: "root", programs of the PATH, or files. */
export function findMissing(needs: Words): string | undefined {
	return needs.find((need) => {
		if (need === "root") return !canCover;
		return need.startsWith("/") ? !existsSync(need) : Bun.which(need) === null;
	});
}
