// Debian's base system in a folder, made by debootstrap. Commands run in it as an ordinary user. It needs root, for chroot.
import {
	chownSync,
	copyFileSync,
	cpSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	symlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { type Running, start } from "./process.ts";

export interface Debian {
	/** The user's home, as seen from outside. */
	readonly home: string;
	readonly addNode: () => void;
	/** Runs a shell command in the user's home. A kill ends all its processes. */
	readonly run: (command: string) => Running;
}

/** Why it does not work here, or undefined. */
export function debianProblem(
	programs: readonly string[] = ["debootstrap"],
): string | undefined {
	if (process.getuid?.() !== 0) return "debootstrap needs root";
	const missing = programs.filter(
		(name) => Bun.which(name, { PATH: searchPath }) === null,
	);
	return missing.length === 0
		? undefined
		: `not installed: ${missing.join(", ")}`;
}

/** Debian installs debootstrap in a folder that only root has on its PATH. */
const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Creates the folder. Returns the reason if Debian cannot be installed, for example without a network. */
export async function installDebian(
	folder: string,
): Promise<string | undefined> {
	const installing = start(
		["debootstrap", "--variant=minbase", codename(), folder],
		{ cwd: "/", env: { PATH: searchPath, LANG: "C" } },
	);
	const { status, stdout, stderr } = await installing.finished;
	return status === 0
		? undefined
		: `debootstrap: ${(stdout + stderr).trim().split("\n").at(-1)}`;
}

export async function makeDebian(folder: string): Promise<Debian> {
	const image = `${folder}/debian`;
	const reason = await installDebian(image);
	if (reason !== undefined) throw new Error(reason);
	copyFileSync("/etc/resolv.conf", `${image}/etc/resolv.conf`);
	const home = `${image}/home/user`;
	mkdirSync(home);
	chownSync(home, user, user);
	// Some networks have their own certificate authority.
	const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
	if (authorities) copyFileSync(authorities, image + authoritiesInside);
	return {
		home,
		addNode: () => addNode(image),
		run: (command) =>
			start(["unshare", ...isolation(image), "sh", "-ec", `cd; ${command}`], {
				cwd: folder,
				env: {
					HOME: "/home/user",
					PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/bin",
					...(authorities && { NODE_EXTRA_CA_CERTS: authoritiesInside }),
				},
			}),
	};
}

const user = 1000;
const authoritiesInside = "/etc/authorities.pem";

/**
 * A PID namespace, whose processes all end with the first one. That is a root shell, because unshare cannot end a process that has changed
 * its user. Bun needs /proc.
 */
function isolation(image: string): string[] {
	return [
		...["--mount", "--pid", "--fork", "--kill-child"],
		`--mount-proc=${image}/proc`,
		...["sh", "-c", 'chroot "$@"; exit $?', "chroot"],
		...[`--userspec=${user}:${user}`, image],
	];
}

/** The release of this machine, so that its Node.js finds its libraries. */
function codename(): string {
	const release = readFileSync("/etc/os-release", "utf8");
	return /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? "stable";
}

/** Copies the Node.js and npm of this machine to where the images of Node.js have them. */
export function addNode(image: string): void {
	const bin = `${image}/usr/local/bin`;
	copyFileSync(realpathSync(Bun.which("node") ?? ""), `${bin}/node`);
	const npm = dirname(dirname(realpathSync(Bun.which("npm") ?? "")));
	const inside = "/usr/local/lib/node_modules/npm";
	cpSync(npm, image + inside, { recursive: true });
	for (const tool of ["npm", "npx"])
		symlinkSync(`${inside}/bin/${tool}-cli.js`, `${bin}/${tool}`);
}
