// A service on an SQLite file that can be killed or stopped, and started again on the same file.
import { type Running, serve } from "../../test/harness/process.ts";
import { apiKey, type Target } from "./target.ts";

export interface RestartableService {
	/** The database file. */
	readonly path: string;
	/** Changes with every start. */
	readonly url: () => string;
	readonly start: () => Promise<void>;
	/** Sends SIGKILL and resolves when the process has ended. */
	readonly kill: () => Promise<void>;
	/** Sends SIGTERM and resolves when the process has ended with status 0. */
	readonly stop: () => Promise<void>;
}

export async function openService(
	{ program, folder }: Target,
	env: Readonly<Record<string, string>> = {},
): Promise<RestartableService> {
	const path = `${folder}/petstore.db`;
	let service: Running & { url: string };
	const start = async () => {
		service = await serve(["--database", `sqlite:${path}`], {
			program,
			cwd: folder,
			env: { PETSTORE_API_KEY: apiKey, ...env },
		});
	};
	await start();
	return {
		path,
		url: () => service.url,
		start,
		async kill() {
			service.kill("SIGKILL");
			await service.finished;
		},
		async stop() {
			service.kill("SIGTERM");
			const { status, stderr } = await service.finished;
			if (status !== 0)
				throw new Error(`a stop ended with status ${status}: ${stderr}`);
		},
	};
}
