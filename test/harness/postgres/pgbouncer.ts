// PgBouncer in front of a PostgreSQL database, where Debian's package `pgbouncer` is installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary.ts";
import { unprivileged } from "./process.ts";

const programs = ["/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer"];

/** Undefined if it is not installed. */
export const pgbouncer = programs.find((path) => existsSync(path));

export interface Bouncer {
	readonly url: string;
	readonly stop: () => Promise<void>;
}

/** Resolves when PgBouncer listens. */
export async function startBouncer(
	program: string,
	target: string,
	settings: Readonly<Record<string, string | number>>,
): Promise<Bouncer> {
	const folder = temporaryFolder();
	const port = await freePort();
	const { hostname, port: targetPort, username, password } = new URL(target);
	const all = {
		listen_addr: "127.0.0.1",
		listen_port: port,
		unix_socket_dir: "",
		auth_type: "any",
		max_client_conn: 200,
		...settings,
	};
	const file = `${folder.path}/pgbouncer.ini`;
	writeFileSync(
		file,
		[
			"[databases]",
			`* = host=${hostname} port=${targetPort} user=${username} password=${password}`,
			"[pgbouncer]",
			...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
			"",
		].join("\n"),
	);
	chmodSync(folder.path, 0o755);
	const child = spawn(program, [file], {
		...unprivileged(),
		cwd: folder.path,
		stdio: ["ignore", "ignore", "pipe"],
	});
	process.once("exit", () => child.kill("SIGKILL"));
	let log = "";
	await new Promise<void>((resolve, reject) => {
		child.stderr.on("data", (data) => {
			log += data;
			if (log.includes("process up")) resolve();
		});
		child.once("exit", () => reject(new Error(`PgBouncer ended: ${log}`)));
	});
	const url = new URL(target);
	url.port = String(port);
	return {
		url: url.href,
		async stop() {
			const ended = once(child, "exit");
			child.kill("SIGKILL");
			await ended;
			folder.remove();
		},
	};
}
