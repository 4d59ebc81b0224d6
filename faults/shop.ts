// A service of the embedded engine that is killed and started again on the same file.
import { type Running, serve } from "../harness/process.ts";
import { apiKey, type Setting } from "./trial.ts";

export interface Shop {
	/** The database file. */
	readonly path: string;
	readonly url: () => string;
	readonly start: () => Promise<void>;
	/** As `kill -9` does; resolves when the process is gone. */
	readonly kill: () => Promise<void>;
	/** As a supervisor does; resolves when the process ended with status 0. */
	readonly stop: () => Promise<void>;
}

export async function openShop(
	{ program, folder }: Setting,
	env: Readonly<Record<string, string>> = {},
): Promise<Shop> {
	const path = `${folder}/petstore.db`;
	let service: Running & { url: string };
	const start = async () => {
		service = await serve(["--database", `sqlite:${path}`], {
			program,
			cwd: folder,
			env: { API_KEY: apiKey, ...env },
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
				throw new Error(`a stop ended with ${status}: ${stderr}`);
		},
	};
}
