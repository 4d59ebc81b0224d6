// Another process holds a read transaction open, so SQLite cannot restart the WAL. The WAL must stay below its limit, and must become short
// again after the transaction.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { waitFor } from "../../test/harness/process.ts";
import {
	injectUnderLoad,
	type Load,
	type ScenarioOptions,
} from "../injection/inject.ts";
import { waitForRefusal } from "../injection/refusal.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { openService } from "../target/restartable.ts";

export async function holdReader(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const service = await openService(options);
	const walBytes = () => statSync(`${service.path}-wal`).size;
	const result = await injectUnderLoad(options, {
		writers: 32,
		urls: () => [service.url()],
		async inject(load) {
			const endTransaction = beginRead(service.path);
			await Bun.sleep(heldMs);
			await fillWal(service.path, walBytes);
			await waitForRefusal(load);
			const full = walBytes();
			await load.reader.progress();
			await Bun.sleep(heldMs);
			if (walBytes() > full + slackBytes)
				load.wrong.push(
					`the full WAL grew further, from ${full} to ${walBytes()} bytes`,
				);
			endTransaction();
			const recovered = load.measureRecovery();
			await requireShortWal(load, walBytes);
			return recovered;
		},
	});
	await service.stop();
	return result;
}

async function requireShortWal(
	{ wrong }: Load,
	walBytes: () => number,
): Promise<void> {
	await waitFor(
		() => (walBytes() <= idleBytes ? true : undefined),
		() => "",
	).catch(() => wrong.push(`the WAL still has ${walBytes()} bytes`));
}

const heldMs = 500;
/** Just above the length at which adds are refused. */
const fullBytes = 257 * 1024 * 1024;
/** Room for a batch that began before the WAL was full. */
const slackBytes = 16 * 1024 * 1024;
/** SQLite truncates the file to this length when it restarts the WAL (journal_size_limit). */
const idleBytes = 8 * 1024 * 1024;

/** Begins a read transaction and returns a function that ends it. */
function beginRead(path: string): () => void {
	const reader = new Database(path, { readonly: true });
	reader.run("BEGIN");
	reader.query("SELECT 1 FROM pets LIMIT 1").get();
	return () => reader.close();
}

/** Updates the time of some Idempotency-Keys repeatedly, which fills the WAL faster than adds do. */
async function fillWal(path: string, walBytes: () => number): Promise<void> {
	const writer = new Database(path, { readwrite: true });
	writer.run("PRAGMA busy_timeout = 1000");
	writer.run("PRAGMA synchronous = OFF");
	const rewrite = writer.query(
		`UPDATE idempotency_keys SET used_at = used_at + 1
		WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys LIMIT 500)`,
	);
	while (walBytes() < fullBytes) {
		const begun = performance.now();
		while (performance.now() - begun < 20) rewrite.run();
		// The clients share this process, and the service needs the write lock.
		await Bun.sleep(5);
	}
	writer.close();
}
