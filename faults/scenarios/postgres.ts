// Two copies of the service on one PostgreSQL server, and faults of either.
import {
	type PostgresProxy,
	startProxy,
} from "../../test/harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
	terminateSessions,
} from "../../test/harness/postgres/server.ts";
import { waitFor } from "../../test/harness/process.ts";
import {
	type Injection,
	injectUnderLoad,
	type Load,
	type ScenarioOptions,
} from "../injection/inject.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { type Copy, startCopy, stopCopies } from "../target/copies.ts";

export function killCopy(options: ScenarioOptions): Promise<ScenarioResult> {
	const inject: Inject = async ({ copies, start, load }) => {
		const copy = copies.shift();
		copy?.kill("SIGKILL");
		await copy?.finished;
		const recovered = load.measureRecovery();
		copies.push(await start());
		return recovered;
	};
	return onPostgres(options, inject, { killsService: true });
}

export function restartPostgres(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	return onPostgres(options, async ({ server, load }) => {
		await server.stop("SIGQUIT");
		await Bun.sleep(Math.random() * 100);
		await server.start();
		return load.measureRecovery();
	});
}

export function endSessions(options: ScenarioOptions): Promise<ScenarioResult> {
	return onPostgres(options, async ({ server, load }) => {
		if ((await terminateSessions(server.url)) === 0)
			load.wrong.push("there was no session to end");
		return load.measureRecovery();
	});
}

/** PostgreSQL runs the statement, but its reply is lost. */
export function loseReply(options: ScenarioOptions): Promise<ScenarioResult> {
	return onPostgres(options, async ({ proxy, load }) => {
		const before = proxy.droppedReplies();
		proxy.dropReplyTo("COMMIT");
		await waitFor(
			() => (proxy.droppedReplies() > before ? true : undefined),
			() => "no add was sent",
		);
		return load.measureRecovery();
	});
}

interface Deployment {
	readonly server: PostgresServer;
	readonly proxy: PostgresProxy;
	readonly copies: Copy[];
	/** Starts a further copy. */
	readonly start: () => Promise<Copy>;
	readonly load: Load;
}

type Inject = (deployment: Deployment) => Promise<number>;

async function onPostgres(
	options: ScenarioOptions,
	inject: Inject,
	kills: Pick<Injection, "killsService"> = {},
): Promise<ScenarioResult> {
	const server = await startPostgres(["max_connections=20"]);
	const proxy = await startProxy(server.url);
	try {
		const start = () => startCopy(options, proxy.url);
		const copies = [await start(), await start()];
		const result = await injectUnderLoad(options, {
			...kills,
			writers: 16,
			urls: () => copies.map(({ url }) => url),
			inject: (load) => inject({ server, proxy, copies, start, load }),
		});
		await stopCopies(copies);
		return result;
	} finally {
		proxy.close();
		await server.remove();
	}
}
