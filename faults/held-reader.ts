// Another process holds a read transaction open: the log cannot start anew meanwhile. It must not grow beyond its bound, and must
// become short again after it.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { waitFor } from "../harness/process.ts";
import { refusal } from "./disk.ts";
import { openShop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import { type Load, type Setting, strikeUnderLoad } from "./trial.ts";

export async function holdReader(setting: Setting): Promise<Tally> {
	const shop = await openShop(setting);
	const logBytes = () => statSync(`${shop.path}-wal`).size;
	const tally = await strikeUnderLoad(setting, {
		writers: 32,
		urls: () => [shop.url()],
		async strike(load) {
			const release = hold(shop.path);
			await Bun.sleep(heldMs);
			await fillLog(shop.path, logBytes);
			await refusal(load);
			const full = logBytes();
			await load.reader.progress();
			await Bun.sleep(heldMs);
			if (logBytes() > full + slackBytes)
				load.wrong.push(`the log grew on, from ${full} to ${logBytes()} bytes`);
			release();
			const recovered = load.recovery();
			await cut(load, logBytes);
			return recovered;
		},
	});
	await shop.stop();
	return tally;
}

async function cut({ wrong }: Load, logBytes: () => number): Promise<void> {
	await waitFor(
		() => (logBytes() <= idleBytes ? true : undefined),
		() => "",
	).catch(() => wrong.push(`the log stayed at ${logBytes()} bytes`));
}

const heldMs = 500;
/** Above what the log may have before adds are refused. */
const fullBytes = 257 * 1024 * 1024;
/** A trip that had begun. */
const slackBytes = 16 * 1024 * 1024;
/** What the log may keep when it starts anew (journal_size_limit). */
const idleBytes = 8 * 1024 * 1024;

/** Returns how to end it. */
function hold(path: string): () => void {
	const reader = new Database(path, { readonly: true });
	reader.run("BEGIN");
	reader.query("SELECT 1 FROM pets LIMIT 1").get();
	return () => reader.close();
}

/** Makes some Idempotency-Keys a millisecond younger, again and again: sooner done than by so many adds. */
async function fillLog(path: string, logBytes: () => number): Promise<void> {
	const writer = new Database(path, { readwrite: true });
	writer.run("PRAGMA busy_timeout = 1000");
	writer.run("PRAGMA synchronous = OFF");
	const rewrite = writer.query(
		`UPDATE idempotency_keys SET used_at = used_at + 1
		WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys LIMIT 500)`,
	);
	while (logBytes() < fullBytes) {
		const begun = performance.now();
		while (performance.now() - begun < 20) rewrite.run();
		// The clients live in this process too, and the service needs the lock.
		await Bun.sleep(5);
	}
	writer.close();
}
