// kill -9 of a service, alone on its file or beside another.

import { openShop, type Shop } from "./shop.ts";
import type { Tally } from "./tally.ts";
import { type Setting, strikeUnderLoad } from "./trial.ts";

export function killService(setting: Setting): Promise<Tally> {
	return killOneOf(1, setting);
}

export function killOneOfTwo(setting: Setting): Promise<Tally> {
	return killOneOf(2, setting);
}

async function killOneOf(count: number, setting: Setting): Promise<Tally> {
	const shops: Shop[] = [];
	while (shops.length < count) shops.push(await openShop(setting));
	const tally = await strikeUnderLoad(setting, {
		writers: 32,
		kills: true,
		urls: () => shops.map(({ url }) => url()),
		async strike({ recovery }) {
			const victim = shops[Math.floor(Math.random() * count)];
			await victim?.kill();
			const recovered = recovery();
			await victim?.start();
			return recovered;
		},
	});
	for (const shop of shops) await shop.stop();
	return tally;
}
