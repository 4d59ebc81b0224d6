// The fault scenarios of an engine at their smallest size: one round each. `npm run test:slow` has more rounds and planted faults, and
// `npm run faults` runs more rounds.
import { describe, expect, test } from "bun:test";
import { runScenario } from "../../faults/run-scenario.ts";
import { type Scenario, scenarios } from "../../faults/scenarios.ts";

export function testSmallest(engine: Scenario["engine"]): void {
	describe(`one round on ${engine}: nothing lost, nothing doubled, no wrong answer`, () => {
		for (const scenario of scenarios)
			if (scenario.engine === engine) testOneRound(scenario);
	});
}

function testOneRound(scenario: Scenario): void {
	const { name, fault } = scenario;
	const reason = scenario.skipReason?.();
	const title = reason === undefined ? "" : ` (skipped: ${reason})`;
	test.skipIf(reason !== undefined)(
		`${name}: ${fault}${title}`,
		async () => {
			const result = await runScenario(scenario, { rounds: 1, maxAnswerMs });
			expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
			expect(result.acknowledged).toBeGreaterThan(0);
		},
		60_000,
	);
}

/** Other test files run at the same time. `npm run faults` has the promised time. */
const maxAnswerMs = 10_000;
