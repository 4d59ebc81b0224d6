// The service under load, at sizes that show nothing about speed. `npm run faults` runs the same at full size.
import { describe, expect, test } from "bun:test";
import { runLoadScenario } from "../../faults/load/run.ts";
import { loadScenarios } from "../../faults/load/scenarios.ts";

describe("load scenarios at a small size, which shows nothing about speed (npm run faults runs them at full size)", () => {
	const runSmall = (prefix: string) =>
		loadScenarios
			.filter(({ name }) => name.startsWith(prefix))
			.filter(({ skipReason }) => skipReason?.() === undefined)
			.map(async (scenario) => {
				const options = { size: scenario.size.test, minShare: 0.3 };
				const { wrong } = await runLoadScenario(scenario, options);
				return [scenario.name, wrong] as const;
			});

	test("with ten times the connections the service keeps its rate, answers /healthz and recovers", async () => {
		for (const [name, wrong] of await Promise.all(runSmall("overload-")))
			expect([name, wrong]).toEqual([name, []]);
	}, 60_000);

	test("slow senders and readers are disconnected without an effect on other clients, and a mix of all kinds of requests gets no 5xx", async () => {
		const runs = [...runSmall("slow-"), ...runSmall("soak")];
		for (const [name, wrong] of await Promise.all(runs))
			expect([name, wrong]).toEqual([name, []]);
	}, 90_000);

	test("when SIGUSR2 restarts the workers, few connections are reset and no add is lost or doubled", async () => {
		for (const [name, wrong] of await Promise.all(runSmall("rolling-workers")))
			expect([name, wrong]).toEqual([name, []]);
	}, 60_000);
});
