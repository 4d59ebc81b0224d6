// Two copies of the service on a PostgreSQL, and what may happen to either.

import { type PostgresProxy, startProxy } from "../harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
	terminateSessions,
} from "../harness/postgres/server.ts";
import { type Running, serve, waitFor } from "../harness/process.ts";
import type { Tally } from "./tally.ts";
import {
	apiKey,
	type Load,
	type Setting,
	strikeUnderLoad,
	type Trial,
} from "./trial.ts";

export function killCopy(setting: Setting): Promise<Tally> {
	const strike: Strike = async ({ copies, start, load }) => {
		const victim = copies.shift();
		victim?.kill("SIGKILL");
		await victim?.finished;
		const recovered = load.recovery();
		copies.push(await start());
		return recovered;
	};
	return onPostgres(setting, strike, { kills: true });
}

export function restartPostgres(setting: Setting): Promise<Tally> {
	return onPostgres(setting, async ({ server, load }) => {
		await server.stop("SIGQUIT");
		await Bun.sleep(Math.random() * 100);
		await server.start();
		return load.recovery();
	});
}

export function endSessions(setting: Setting): Promise<Tally> {
	return onPostgres(setting, async ({ server, load }) => {
		if ((await terminateSessions(server.url)) === 0)
			load.wrong.push("there was no session to end");
		return load.recovery();
	});
}

/** What was asked is done, and the answer to it never arrives. */
export function swallowReply(setting: Setting): Promise<Tally> {
	return onPostgres(setting, async ({ proxy, load }) => {
		const before = proxy.swallowed();
		// A session sends the text of a statement once, and its name each time.
		proxy.swallowReplyTo("addPets");
		await waitFor(
			() => (proxy.swallowed() > before ? true : undefined),
			() => "no add was sent",
		);
		return load.recovery();
	});
}

interface World {
	readonly server: PostgresServer;
	readonly proxy: PostgresProxy;
	readonly copies: Copy[];
	readonly start: () => Promise<Copy>;
	readonly load: Load;
}

export type Copy = Running & { url: string };

type Strike = (world: World) => Promise<number>;

async function onPostgres(
	setting: Setting,
	strike: Strike,
	kills: Pick<Trial, "kills"> = {},
): Promise<Tally> {
	const server = await startPostgres(["max_connections=20"]);
	const proxy = await startProxy(server.url);
	try {
		const start = () => startCopy(setting, proxy.url);
		const copies = [await start(), await start()];
		const tally = await strikeUnderLoad(setting, {
			...kills,
			writers: 16,
			urls: () => copies.map(({ url }) => url),
			strike: (load) => strike({ server, proxy, copies, start, load }),
		});
		await stopCopies(copies);
		return tally;
	} finally {
		proxy.close();
		await server.remove();
	}
}

export function startCopy(
	{ program, folder }: Setting,
	url: string,
): Promise<Copy> {
	const env = { API_KEY: apiKey, DATABASE_URL: url };
	return serve([], { program, cwd: folder, env });
}

export async function stopCopies(copies: readonly Copy[]): Promise<void> {
	for (const copy of copies) {
		copy.kill("SIGTERM");
		const { status, stderr } = await copy.finished;
		if (status !== 0) throw new Error(`a stop ended with ${status}: ${stderr}`);
	}
}
