// Measures the time and the peak memory of a command. On Linux, the peak includes the memory of the process that starts the command, before
// its exec. So this file runs as a small process of its own.
import { root, run } from "./process.ts";

interface Measured {
	readonly status: number | null;
	readonly stderr: string;
	readonly seconds: number;
	/** The largest resident size. */
	readonly peakMb: number;
}

export async function measureCommand(
	command: readonly string[],
	cwd: string,
): Promise<Measured> {
	const { status, stdout, stderr } = await run(
		[`${root}test/harness/measure-command.ts`, ...command],
		{ cwd, program: process.execPath },
	);
	return { status, stderr, ...JSON.parse(stdout) };
}

if (import.meta.main) {
	const begun = performance.now();
	const child = Bun.spawn(Bun.argv.slice(2), {
		stdout: "ignore",
		stderr: "inherit",
	});
	process.exitCode = await child.exited;
	const { maxRSS = 0 } = child.resourceUsage() ?? {};
	const seconds = (performance.now() - begun) / 1000;
	console.log(JSON.stringify({ seconds, peakMb: maxRSS / 1024 / 1024 }));
}
