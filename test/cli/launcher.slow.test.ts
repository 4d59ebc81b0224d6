// What bin/petstore.cjs costs at a start, compared with bin/petstore.
import { expect, test } from "bun:test";
import { petstore } from "../../harness/process.ts";

const pairs = 15;

test("costs at most 1.5 times the processor time that Node.js needs to start", () => {
	const shares = Array.from({ length: pairs }, () => {
		const launcher = cost(["node", `${petstore}.cjs`, "version"]);
		const script = cost([petstore, "version"]);
		return (launcher - script) / cost(["node", "-e", ""]);
	}).sort((a, b) => a - b);
	expect(shares[(pairs - 1) / 2]).toBeLessThanOrEqual(1.5);
}, 60_000);

/** Milliseconds, also of the processes that it has started. Unlike the time on a clock, it hardly depends on other programs. */
function cost(command: string[]): number {
	const { resourceUsage } = Bun.spawnSync(command, {
		env: { PATH: process.env.PATH },
	});
	return Number(resourceUsage.cpuTime.total) / 1_000;
}
