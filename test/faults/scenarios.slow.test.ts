// The scenarios of `npm run faults` at their smallest size, which shows nothing about speed.
import { describe, expect, test } from "bun:test";
import { runScenario } from "../../faults/scenario.ts";
import { scenarios } from "../../faults/scenarios.ts";

describe("keeps every promise", () => {
	for (const scenario of scenarios) {
		const { name, fault, size } = scenario;
		const reason = scenario.skipReason?.();
		const skipped = reason === undefined ? "" : ` (skipped: ${reason})`;
		test.skipIf(reason !== undefined)(
			`${name}: ${fault}${skipped}`,
			async () => {
				const options = { size: size.test, isBusy: true };
				expect(await runScenario(scenario, options)).toMatchObject({
					wrong: [],
				});
			},
			90_000,
		);
	}
});
