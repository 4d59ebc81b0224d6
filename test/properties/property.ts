// A test of a property: it must hold for whatever fast-check comes up with.
import { test } from "bun:test";
import fc from "fast-check";
import { openService, type Service, type ServiceOptions } from "../service.ts";

/**
 * Tries it so many times, or PROPERTY_RUNS times as often. A failure shows the smallest counterexample that was found
 * and its seed, which PROPERTY_SEED repeats.
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

/** A service for one run alone, which a seed can repeat from the start. */
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

const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;

/** What hangs is a counterexample too. It is not left to the test runner, which would end the test without its seed. */
const maxRunMs = 10_000;
const maxTestMs = 24 * 60 * 60 * 1000;
