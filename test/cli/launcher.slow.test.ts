// What bin/petstore.cjs costs at a start, compared with bin/petstore.
import { expect, test } from "bun:test";
import { petstore } from "../harness/process.ts";

const [most, pairs, maxTries] = [1.5, 15, 8];

test("costs at most 1.5 times the processor time that Node.js needs to start", () => {
	// On a busy machine all processes need more, but not all alike. So the lowest of some medians counts.
	let lowest = Infinity;
	for (let tries = 0; tries < maxTries && lowest > most; tries++)
		lowest = Math.min(lowest, measure());
	expect(lowest).toBeLessThanOrEqual(most);
}, 120_000);

/** The cost of the launcher as a multiple of the cost of Node.js, by the median of some measurements. */
function measure(): number {
	const shares = Array.from({ length: pairs }, () => {
		const launcher = cost(["node", `${petstore}.cjs`, "--version"]);
		const script = cost([petstore, "--version"]);
		return (launcher - script) / cost(["node", "-e", ""]);
	}).sort((a, b) => a - b);
	return shares[(pairs - 1) / 2] ?? Infinity;
}

/** Milliseconds, also of the processes that it has started. Unlike the time on a clock, it hardly depends on other programs. */
function cost(command: string[]): number {
	const { resourceUsage } = Bun.spawnSync(command, {
		env: { PATH: process.env.PATH },
	});
	return Number(resourceUsage.cpuTime.total) / 1_000;
}
