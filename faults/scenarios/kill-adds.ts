// kill -9 of one of two services on one database, or of both, while clients add animals.
import { injectUnderLoad } from "../injection/inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import { type Database, openPair } from "../service.ts";

export async function killDuringAdds(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const { services, url, stop } = await openPair(options, databaseUrl);
	const result = await injectUnderLoad(options, {
		writers: 32,
		killsService: true,
		url,
		async inject({ measureRecovery }) {
			const [one, other] =
				Math.random() < 0.5 ? services : services.toReversed();
			const killed = [one, Math.random() < 0.5 ? other : undefined];
			await Promise.all(killed.map((service) => service?.kill()));
			const recovered = measureRecovery();
			for (const service of killed) await service?.start();
			return recovered;
		},
	});
	await stop();
	return result;
}
