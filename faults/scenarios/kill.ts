// kill -9 of a service, alone on its file or one of two.
import { injectUnderLoad, type ScenarioOptions } from "../injection/inject.ts";
import type { ScenarioResult } from "../injection/result.ts";
import { openService, type RestartableService } from "../target/restartable.ts";

export function killService(options: ScenarioOptions): Promise<ScenarioResult> {
	return killOneOf(1, options);
}

export function killOneOfTwo(
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	return killOneOf(2, options);
}

async function killOneOf(
	count: number,
	options: ScenarioOptions,
): Promise<ScenarioResult> {
	const services: RestartableService[] = [];
	while (services.length < count) services.push(await openService(options));
	const result = await injectUnderLoad(options, {
		writers: 32,
		killsService: true,
		urls: () => services.map(({ url }) => url()),
		async inject({ measureRecovery }) {
			const service = services[Math.floor(Math.random() * count)];
			await service?.kill();
			const recovered = measureRecovery();
			await service?.start();
			return recovered;
		},
	});
	for (const service of services) await service.stop();
	return result;
}
