// A disk that is full, or whose writes or syncs fail. The service refuses adds during the fault, and still reads.
import { buildShim, type DiskFault } from "../disk/shim.ts";
import { injectUnderLoad, type ScenarioOptions } from "../injection/inject.ts";
import { waitForRefusal } from "../injection/refusal.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { openService } from "../target/restartable.ts";

export async function breakDisk(
	fault: DiskFault,
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const shim = buildShim(options.folder);
	const service = await openService(options, shim.env);
	const result = await injectUnderLoad(options, {
		writers: 32,
		urls: () => [service.url()],
		async inject(load) {
			shim.switchOn(fault);
			await waitForRefusal(load);
			await load.reader.progress();
			await Bun.sleep(Math.random() * 100);
			shim.switchOff(fault);
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
