// Copies of the service on one PostgreSQL database.
import { type Running, serve } from "../../test/harness/process.ts";
import { apiKey, type Target } from "./target.ts";

export type Copy = Running & { url: string };

export function startCopy(
	{ program, folder }: Target,
	databaseUrl: string,
): Promise<Copy> {
	const env = { PETSTORE_API_KEY: apiKey, PETSTORE_DATABASE: databaseUrl };
	return serve([], { program, cwd: folder, env });
}

export async function stopCopies(copies: readonly Copy[]): Promise<void> {
	for (const copy of copies) {
		copy.kill("SIGTERM");
		const { status, stderr } = await copy.finished;
		if (status !== 0)
			throw new Error(`a stop ended with status ${status}: ${stderr}`);
	}
}
