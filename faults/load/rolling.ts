// Rolling restarts under load: of two copies behind a proxy, and of two copies on one port. No add may be lost or doubled. Behind a proxy,
// no request may fail.
import { type Clients, startClients } from "../../test/harness/clients.ts";
import { openCopies } from "../../test/harness/copies.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { type Running, serve } from "../../test/harness/process.ts";
import { walk } from "../../test/harness/walk.ts";
import { apiKey } from "../target/target.ts";
import { type ProxyName, startProxy } from "./proxy.ts";
import type { LoadOptions, LoadResult } from "./scenario.ts";

/** Each round restarts both copies, one after the other. */
export async function restartBehind(
	name: ProxyName,
	drain: string,
	options: LoadOptions,
): Promise<LoadResult> {
	const ports = [await freePort(), await freePort()] as const;
	const startCopy = (port: number) => start(options, port, drain);
	const copies = await Promise.all(ports.map(startCopy));
	const [a, b] = ports.map((port) => `127.0.0.1:${port}`);
	const proxy = await startProxy(name, options.folder, [a ?? "", b ?? ""]);
	const clients = startClients(clientCount, apiKey, proxy.url, pauseMs);
	for (let round = 0; round < options.size; round++)
		for (const [index, port] of ports.entries()) {
			await stop(copies[index]);
			copies[index] = await startCopy(port);
			// HAProxy needs two checks, and nginx a second, to use the copy again.
			await Bun.sleep(noticeMs);
		}
	await clients.stop();
	const result = await judge(clients, proxy.url);
	await proxy.stop();
	for (const copy of copies) await stop(copy);
	return result;
}

/** Each round replaces both copies. When the listener of the old one closes, Linux may reset a connection that waits in it. */
export async function restartOnOnePort({
	program,
	folder,
	size,
}: LoadOptions): Promise<LoadResult> {
	const { url, start } = await openCopies(["--drain", "2"], {
		program,
		cwd: folder,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const copies = [await start(), await start()];
	const clients = startClients(clientCount, apiKey, url, pauseMs);
	for (let round = 0; round < size; round++)
		for (const index of copies.keys()) {
			await Bun.sleep(noticeMs);
			const old = copies[index];
			copies[index] = await start();
			await stop(old);
		}
	await clients.stop();
	const { figures, wrong } = await judge(clients, url);
	for (const copy of copies) await stop(copy);
	const resets = wrong.filter((what) => what.endsWith("ECONNRESET"));
	return {
		figures,
		wrong: [
			...wrong.filter((what) => !resets.includes(what)),
			...(resets.length > resetsPerRound * size
				? [`${resets.length} connections were reset`]
				: []),
		],
	};
}

/** For both copies: with net.ipv4.tcp_migrate_req=1 there are none. */
const resetsPerRound = 20;

const clientCount = 16;
/** Each client's mean. Many requests are in progress at any moment, and new connections do not use up the ports. */
const pauseMs = 10;
const noticeMs = 1_500;

function start(
	{ program, folder }: LoadOptions,
	port: number,
	drain: string,
): Promise<Running> {
	return serve(
		[
			...["--port", String(port), "--drain", drain],
			...["--database", `sqlite:${folder}/petstore.db`],
		],
		{ program, cwd: folder, env: { PETSTORE_API_KEY: apiKey } },
	);
}

async function stop(copy: Running | undefined): Promise<void> {
	copy?.kill("SIGTERM");
	const ended = await copy?.finished;
	if (ended?.status !== 0)
		throw new Error(`a stop ended with status ${ended?.status}`);
}

async function judge(clients: Clients, url: string): Promise<LoadResult> {
	const { failures, acknowledged } = clients;
	const listed = await walk(url, apiKey);
	const names = new Set(listed.map(([name]) => name));
	const lost = [...acknowledged.keys()].filter((name) => !names.has(name));
	const doubled = listed.length - names.size;
	const requests = clients.requests().toLocaleString("en");
	return {
		figures: [
			`${requests} requests, ${failures.length} failed`,
			`${acknowledged.size.toLocaleString("en")} animals added, ${lost.length} lost, ${doubled} doubled`,
			`the slowest reply took ${clients.slowestMs().toFixed(0)} ms`,
		],
		wrong: [
			...failures,
			...lost.map((name) => `${name} was lost`),
			...(doubled > 0 ? [`${doubled} animals were added twice`] : []),
		],
	};
}
