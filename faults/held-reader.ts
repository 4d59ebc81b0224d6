// Another process holds a read transaction open: the log cannot start anew meanwhile, and must become short again after it.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { openShop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import { type Setting, strikeUnderLoad } from "./trial.ts";

export async function holdReader(setting: Setting): Promise<Tally> {
	const shop = await openShop(setting);
	const logBytes = () => statSync(`${shop.path}-wal`).size;
	const tally = await strikeUnderLoad(setting, {
		writers: 32,
		urls: () => [shop.url()],
		async strike({ recovery, wrong }) {
			const release = hold(shop.path);
			await Bun.sleep(heldMs);
			const grown = logBytes();
			release();
			const recovered = recovery();
			const begun = performance.now();
			while (logBytes() > boundBytes) {
				await Bun.sleep(10);
				if (performance.now() - begun < patienceMs) continue;
				wrong.push(
					`the log grew to ${grown} bytes and stayed at ${logBytes()}`,
				);
				break;
			}
			return recovered;
		},
	});
	await shop.stop();
	return tally;
}

const heldMs = 2_000;
const patienceMs = 5_000;
/** What the log may keep when it starts anew (journal_size_limit). */
const boundBytes = 8 * 1024 * 1024;

/** Returns how to end it. */
function hold(path: string): () => void {
	const reader = new Database(path, { readonly: true });
	reader.run("BEGIN");
	reader.query("SELECT 1 FROM pets LIMIT 1").get();
	return () => reader.close();
}
