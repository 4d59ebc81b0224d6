// A disk that is full. The service refuses adds during the fault, and still reads.
import { buildShim } from "../disk/shim.ts";
import { inject, type Moment } from "../inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import type { Database } from "../service.ts";

export function fillDisk(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const shim = buildShim(options.folder);
	async function fault({ witnesses, wrong }: Moment): Promise<void> {
		shim.switchOn("no-space");
		// It still accepts what fits into the WAL file at its present length.
		await witnesses.refusal().catch(() => wrong.push("adds were not refused"));
		await Bun.sleep(Math.random() * 100);
		shim.switchOff("no-space");
	}
	const { env } = shim;
	return inject(options, { databaseUrl, adders: 32, env, faults: [fault] });
}
