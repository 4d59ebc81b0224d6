// No fault of the process, its disk or its database may lose or duplicate an animal. Each scenario runs at a small size here, and at full
// size with `npm run faults`, which writes docs/reliability.md.
import { describe, expect, test } from "bun:test";
import { plants } from "../../faults/plants.ts";
import { catchPlanted, runScenario } from "../../faults/run-scenario.ts";
import { scenarios } from "../../faults/scenarios.ts";

describe.each([...scenarios])("$name", (scenario) => {
	const reason = scenario.skipReason?.();
	const title = reason === undefined ? "" : ` (skipped: ${reason})`;

	test.skipIf(reason !== undefined)(
		`${scenario.fault}: nothing lost, nothing doubled, no wrong answer${title}`,
		async () => {
			const { rounds } = scenario;
			const result = await runScenario(scenario, { rounds: rounds.test });
			expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
			expect(result.acknowledged).toBeGreaterThan(0);
		},
		60_000,
	);
});

describe("a planted fault is caught", () => {
	for (const planted of plants.filter(({ inTests }) => inTests)) {
		const { caughtBy, name: fault } = planted;
		const scenario = scenarios.find(({ name }) => name === caughtBy);
		const reason = scenario?.skipReason?.();
		test.skipIf(reason !== undefined)(
			`${caughtBy}: ${fault}`,
			async () => {
				if (scenario === undefined) throw new Error(`no scenario ${caughtBy}`);
				expect(await catchPlanted(scenario, planted)).toBeDefined();
			},
			60_000,
		);
	}
});
