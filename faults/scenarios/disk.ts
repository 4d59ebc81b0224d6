// A disk that is full. The service refuses adds during the fault, and still reads.
import { buildShim } from "../disk/shim.ts";
import { injectUnderLoad } from "../injection/inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { openService } from "../service.ts";

export async function fillDisk(options: ScenarioOptions): Promise<Result> {
	const shim = buildShim(options.folder);
	const service = await openService(options, { env: shim.env });
	const result = await injectUnderLoad(options, {
		writers: 32,
		url: service.url,
		async inject(load) {
			shim.switchOn("no-space");
			await load.refusal();
			await load.reader.progress();
			await Bun.sleep(Math.random() * 100);
			shim.switchOff("no-space");
			return load.measureRecovery();
		},
		// The count must see the disk, not the memory of the process.
		async beforeCount() {
			await service.kill();
			await service.start();
		},
	});
	await service.stop();
	return result;
}
