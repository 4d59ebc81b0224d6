// A test of a property, which must hold for all values that fast-check generates.
import { test } from "bun:test";
import fc from "fast-check";
import { openService, type Service, type ServiceOptions } from "../service.ts";

/**
 * Tries the property `runs` times, or PROPERTY_RUNS times as often. A failure shows the smallest counterexample that was
 * found and its seed, which PROPERTY_SEED repeats.
 */
export function property<Values>(
	title: string,
	runs: number,
	holds: fc.IRawProperty<Values>,
): void {
	test(
		title,
		async () => {
			await fc.assert(holds, {
				numRuns: runs * Number(PROPERTY_RUNS ?? 1),
				...(PROPERTY_SEED !== undefined && { seed: Number(PROPERTY_SEED) }),
				timeout: maxRunMs,
			});
		},
		maxTestMs,
	);
}

/** Opens a service for one run only, so that a seed repeats the run from an empty catalogue. */
export async function withService(
	engine: NonNullable<ServiceOptions["engine"]>,
	use: (service: Service) => Promise<void>,
): Promise<void> {
	const service = await openService("in process", { engine });
	try {
		await use(service);
	} finally {
		await service.close();
	}
}

/** Two services on one database, as two processes would be. */
export async function withTwoServices(
	engine: NonNullable<ServiceOptions["engine"]>,
	use: (services: readonly [Service, Service]) => Promise<void>,
): Promise<void> {
	await withService(engine, async (service) => {
		const { databaseUrl } = service;
		const second = await openService("in process", { engine, databaseUrl });
		try {
			await use([service, second]);
		} finally {
			await second.close();
		}
	});
}

const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;

/** A run that hangs is a counterexample too. The test runner's own timeout would end the test without showing the seed. */
const maxRunMs = 10_000;
const maxTestMs = 24 * 60 * 60 * 1000;
