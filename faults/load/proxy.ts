// HAProxy and nginx in front of two copies of the service, with the configurations of deploy/.
import { readFileSync, writeFileSync } from "node:fs";
import { freePort } from "../../test/harness/free-port.ts";
import {
	type Running,
	root,
	start,
	waitFor,
} from "../../test/harness/process.ts";

export interface Proxy {
	readonly url: string;
	readonly stop: () => Promise<void>;
}

export type ProxyName = "haproxy" | "nginx";

export function proxySkipReason(name: ProxyName): string | undefined {
	return Bun.which(name, { PATH: searchPath }) === null
		? `${name} is not installed`
		: undefined;
}

/** Debian installs HAProxy and nginx in a folder that only root has on its PATH. */
const searchPath = `${process.env.PATH}:/usr/sbin`;

/** Starts the proxy on a free port, in front of these two hosts and ports. */
export function startProxy(
	name: ProxyName,
	folder: string,
	copies: readonly [string, string],
): Promise<Proxy> {
	return startConfigured(name, folder, toConfiguration(name, copies));
}

/** Starts the proxy on a free port instead of that of the configuration. */
async function startConfigured(
	name: ProxyName,
	folder: string,
	configuration: string,
): Promise<Proxy> {
	const port = await freePort();
	const file = `${folder}/${name}.conf`;
	const text = configuration.replace(
		/(bind|listen) [^\n;]+/,
		`$1 127.0.0.1:${port}`,
	);
	writeFileSync(file, name === "haproxy" ? text : toNginx(folder, text));
	const program = Bun.which(name, { PATH: searchPath }) ?? name;
	const args = { haproxy: ["-f", file], nginx: ["-p", folder, "-c", file] };
	const running = start([program, ...args[name]], { cwd: folder });
	const url = `http://127.0.0.1:${port}`;
	await untilServing(url, running);
	return {
		url,
		async stop() {
			running.kill("SIGTERM");
			await running.finished;
		},
	};
}

function toConfiguration(
	name: ProxyName,
	[a, b]: readonly [string, string],
): string {
	const files = { haproxy: "haproxy.cfg", nginx: "nginx.conf" };
	const text = readFileSync(`${root}deploy/${files[name]}`, "utf8");
	return text.replaceAll("petstore-a:8080", a).replaceAll("petstore-b:8080", b);
}

/** The other settings that nginx needs outside a system service. */
function toNginx(folder: string, http: string): string {
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((kind) => `${kind}_temp_path ${folder}/nginx-${kind};`)
		.join("\n");
	return `daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
access_log off;
${temporary}
${http}
}
`;
}

async function untilServing(url: string, { output }: Running): Promise<void> {
	let isServing: true | undefined;
	const asking = setInterval(async () => {
		const reply = await fetch(`${url}/readyz`).catch(() => undefined);
		if (reply?.status === 200) isServing = true;
	}, 100);
	await waitFor(
		() => isServing,
		() => `the proxy does not serve: ${output().stderr}`,
	).finally(() => clearInterval(asking));
}
