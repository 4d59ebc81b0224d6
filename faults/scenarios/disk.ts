// A disk that is full. The service refuses adds during the fault, and still reads.
import { buildShim, type DiskFault, type Shim } from "../disk/shim.ts";
import { inject, type Moment } from "../inject.ts";
import type { Result, ScenarioOptions } from "../scenario.ts";
import type { Database } from "../service.ts";
import type { Witnesses } from "../witness/witnesses.ts";

export function fillDisk(
	options: ScenarioOptions,
	{ databaseUrl }: Database,
): Promise<Result> {
	const shim = buildShim(options.folder);
	const fault = ({ witnesses, wrong }: Moment) =>
		failDisk(shim, "no-space", 100, witnesses, wrong);
	const { env } = shim;
	return inject(options, { databaseUrl, adders: 32, env, faults: [fault] });
}

/** A fault of the disk until adds are refused, and a random time longer. */
export async function failDisk(
	shim: Shim,
	fault: DiskFault,
	maxMs: number,
	witnesses: Witnesses,
	wrong: string[],
): Promise<void> {
	shim.switchOn(fault);
	// A full disk still accepts what fits into the WAL file at its present length.
	await witnesses.refusal().catch(() => wrong.push("adds were not refused"));
	await Bun.sleep(Math.random() * maxMs);
	shim.switchOff(fault);
}
