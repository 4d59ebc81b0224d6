// Runs an image as a container with a read-only root, its own processes and user, and no way to more privileges. It uses the network of the
// machine.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { giveTo, type Image } from "./image.ts";
import { type Finished, start } from "./process.ts";

interface ContainerOptions {
	/** The folder that is mounted at /data. */
	readonly data: string;
	/** Added to those of the image. */
	readonly env?: Record<string, string>;
	/** Replace those of the image. */
	readonly args?: readonly string[];
}

/** Why containers do not work here, or undefined. */
export function containerSkipReason(): string | undefined {
	const { outer } = toUsers("0:0");
	const mount = "--mount --pid --fork mount -t proc p /proc".split(" ");
	const { status, stderr } = spawnSync("unshare", [...outer, ...mount], {
		encoding: "utf8",
	});
	return status === 0 ? undefined : `no namespaces: ${stderr ?? "no unshare"}`;
}

/** Creates a folder that the user of the image may write to. */
export function makeData(path: string, { config }: Image): string {
	mkdirSync(path);
	giveTo(config, path);
	return path;
}

export function startContainer(
	{ folder, config }: Image,
	{ data, env = {}, args = config.cmd }: ContainerOptions,
) {
	const variables = Object.entries({ ...config.env, ...env });
	const { outer, inner } = toUsers(config.user);
	const running = start(
		[
			"unshare",
			...[...outer, "--mount", "--pid", "--fork"],
			...["--kill-child=SIGKILL", "sh", "-c", mounts, "sh", folder, data],
			...["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`)],
			...[Bun.which("unshare") ?? "unshare", ...inner, `--root=${folder}`],
			...[`--wd=${config.workdir}`, ...config.entrypoint, ...args],
		],
		{ cwd: data },
	);
	return {
		...running,
		/** Signals process 1 of the container. */
		signal: (signal: NodeJS.Signals) =>
			process.kill(firstChildOf(running.pid), signal),
		/** The status of that process in /proc. */
		readStatus: () =>
			readFileSync(`/proc/${firstChildOf(running.pid)}/status`, "utf8"),
	};
}

/** Runs one command in its own container, to its end. */
export function runContainer(
	image: Image,
	options: ContainerOptions,
): Promise<Finished> {
	return startContainer(image, options).finished;
}

const isRoot = process.getuid?.() === 0;

/**
 * Root changes to the user of the image. Other users become root in a namespace, for the mounts, and the user of the image in a second one
 * inside it.
 */
function toUsers(user: string) {
	const [uid, gid] = user.split(":");
	return isRoot
		? { outer: [], inner: [`--setuid=${uid}`, `--setgid=${gid}`] }
		: {
				outer: ["--map-root-user"],
				inner: [`--map-user=${uid}`, `--map-group=${gid}`],
			};
}

/** The mounts of every container. Only the mount of the root is read-only, not the mounts below it. */
const mounts = `set -e
root=$1 data=$2
shift 2
mkdir -p "$root/proc" "$root/dev"
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs "$@"`;

function firstChildOf(pid: number): number {
	return Number.parseInt(
		readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"),
		10,
	);
}
