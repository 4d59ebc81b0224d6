// The service under load, at sizes that show nothing about speed. `npm run faults` runs the same at full size.
import { describe, expect, test } from "bun:test";
import { runLoadScenario } from "../../faults/load/run.ts";
import { loadScenarios } from "../../faults/load/scenarios.ts";

describe("under a small load, which shows nothing about speed (npm run faults runs the full load)", () => {
	const runSmall = (prefix: string) =>
		loadScenarios
			.filter(({ name }) => name.startsWith(prefix))
			.filter(({ skipReason }) => skipReason?.() === undefined)
			.map(async (scenario) => {
				const options = { size: scenario.size.test, minShare: 0.3 };
				const { wrong } = await runLoadScenario(scenario, options);
				return [scenario.name, wrong] as const;
			});

	test("keeps its rate, answers /healthz and recovers with ten times the connections", async () => {
		for (const [name, wrong] of await Promise.all(runSmall("overload-")))
			expect([name, wrong]).toEqual([name, []]);
	}, 60_000);

	test("disconnects slow senders and readers without harm to other clients, and answers a mix of requests without a 5xx", async () => {
		const runs = [...runSmall("slow-"), ...runSmall("soak")];
		for (const [name, wrong] of await Promise.all(runs))
			expect([name, wrong]).toEqual([name, []]);
	}, 90_000);

	test("resets few connections and neither loses nor doubles an add when copies on one port are replaced", async () => {
		for (const [name, wrong] of await Promise.all(runSmall("rolling-port")))
			expect([name, wrong]).toEqual([name, []]);
	}, 60_000);
});
