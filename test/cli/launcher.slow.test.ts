// What bin/petstore.cjs costs at a start, compared with bin/petstore.
import { expect, test } from "bun:test";
import { petstore } from "../../harness/process.ts";

const pairs = 15;
const mostMs = 60;

test(`the launcher takes at most ${mostMs} ms of processor time more than the shell script`, () => {
	const differences = Array.from(
		{ length: pairs },
		() => cost(["node", `${petstore}.cjs`]) - cost([petstore]),
	).sort((a, b) => a - b);
	expect(differences[(pairs - 1) / 2]).toBeLessThanOrEqual(mostMs);
}, 60_000);

/** Milliseconds, also of the processes that it has started. Unlike the time on a clock, it hardly depends on other programs. */
function cost(command: string[]): number {
	const { resourceUsage } = Bun.spawnSync([...command, "version"], {
		env: { PATH: process.env.PATH },
	});
	return Number(resourceUsage.cpuTime.total) / 1_000;
}
