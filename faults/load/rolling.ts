// Rolling restarts under load: of two copies behind a proxy, and of the workers of one copy. No add may be lost or doubled. Behind a proxy,
// no request may fail.
import { type Clients, startClients } from "../../test/harness/clients.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { type Running, serve } from "../../test/harness/process.ts";
import { walk } from "../../test/harness/walk.ts";
import { serveWorkers } from "../../test/harness/workers.ts";
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

/** Each round restarts both workers with one SIGUSR2. When a worker's listener closes, Linux may reset a connection that waits in it. */
export async function restartWorkers({
	folder,
	size,
}: LoadOptions): Promise<LoadResult> {
	const service = await serveWorkers(2, [], {
		cwd: folder,
		env: { PETSTORE_API_KEY: apiKey },
	});
	const clients = startClients(clientCount, apiKey, service.url, pauseMs);
	for (let round = 1; round <= size; round++) {
		await Bun.sleep(noticeMs);
		service.kill("SIGUSR2");
		await service.untilLogged("worker replaced", 2 * round);
	}
	await clients.stop();
	const { figures, wrong } = await judge(clients, service.url);
	await stop(service);
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

/** For both workers. No run has had more. */
const resetsPerRound = 4;

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
