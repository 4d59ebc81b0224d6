// A disk that is full, that fails to write or that fails to sync: adds are refused, reads go on, adds resume.

import { buildShim, type DiskFault } from "./shim.ts";
import { openShop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import { type Load, type Setting, strikeUnderLoad } from "./trial.ts";

export async function breakDisk(
	fault: DiskFault,
	setting: Setting,
): Promise<Tally> {
	const shim = buildShim(setting.folder);
	const shop = await openShop(setting, shim.env);
	const tally = await strikeUnderLoad(setting, {
		writers: 32,
		urls: () => [shop.url()],
		async strike(load) {
			shim.switchOn(fault);
			await refusal(load);
			await load.reader.progress();
			await Bun.sleep(Math.random() * 100);
			shim.switchOff(fault);
			return load.recovery();
		},
		// What counts is what the disk has, not what the process remembers.
		async settle() {
			await shop.kill();
			await shop.start();
		},
	});
	await shop.stop();
	return tally;
}

/** A full disk still takes what fits into the log as it is, so it may be a while until nothing does. */
export async function refusal({ writers, wrong }: Load): Promise<void> {
	const refusals = () =>
		(writers.statuses.get(503) ?? 0) + writers.wrong.length;
	const [before, begun] = [refusals(), performance.now()];
	while (refusals() === before) {
		await Bun.sleep(2);
		if (performance.now() - begun < patienceMs) continue;
		wrong.push("adds were not refused");
		return;
	}
}

const patienceMs = 5_000;
