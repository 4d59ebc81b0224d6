// Two copies of the service on a PostgreSQL server that is restarted, or whose reply is lost.
import {
	type PostgresProxy,
	startProxy,
} from "../../test/harness/postgres/proxy.ts";
import {
	type PostgresServer,
	startPostgres,
} from "../../test/harness/postgres/server.ts";
import { waitFor } from "../../test/harness/process.ts";
import { injectUnderLoad, type Load } from "../injection/inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { openPair } from "../service.ts";

export function restartPostgres(options: ScenarioOptions): Promise<Result> {
	return onPostgres(options, async ({ server, load }) => {
		await server.stop("SIGQUIT");
		await Bun.sleep(Math.random() * 100);
		await server.start();
		return load.measureRecovery();
	});
}

/** PostgreSQL runs the statement, but its reply is lost. */
export function loseReply(options: ScenarioOptions): Promise<Result> {
	return onPostgres(options, async ({ proxy, load }) => {
		const before = proxy.droppedReplies();
		proxy.dropReplyTo("COMMIT");
		await waitFor(() => proxy.droppedReplies() > before, "no add was sent");
		return load.measureRecovery();
	});
}

interface Deployment {
	readonly server: PostgresServer;
	readonly proxy: PostgresProxy;
	readonly load: Load;
}

type Inject = (deployment: Deployment) => Promise<number>;

async function onPostgres(
	options: ScenarioOptions,
	inject: Inject,
): Promise<Result> {
	const server = await startPostgres(["max_connections=20"]);
	const proxy = await startProxy(server.url);
	try {
		const copies = await openPair(options, proxy.url);
		const result = await injectUnderLoad(options, {
			writers: 16,
			url: copies.url,
			inject: (load) => inject({ server, proxy, load }),
		});
		await copies.stop();
		return result;
	} finally {
		proxy.close();
		await server.remove();
	}
}
