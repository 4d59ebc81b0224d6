// A command of the command line that is killed at a random moment, or whose disk is full from then on.
import { type Finished, start } from "../test/harness/process.ts";
import { buildShim } from "./disk/shim.ts";
import type { ScenarioOptions } from "./scenario.ts";

export function toCommand(
	{ program, folder }: ScenarioOptions,
	{ fillsDisk = true } = {},
) {
	const shim = fillsDisk ? buildShim(folder) : undefined;
	const env = { ...shim?.env, TMPDIR: folder };
	const begin = (args: readonly string[]) =>
		start([program, ...args], { cwd: folder, env });
	let usualMs = 0;
	return {
		/** Undisturbed. */
		async finish(args: readonly string[]): Promise<Finished> {
			const begun = performance.now();
			const finished = await begin(args).finished;
			// One that has nothing more to do is fast.
			usualMs = Math.max(0.9 * usualMs, performance.now() - begun);
			return finished;
		},
		/** In each fourth round its disk is full. In the others it is killed. */
		async interrupt(args: readonly string[], round: number): Promise<Finished> {
			const running = begin(args);
			// Nothing can go wrong in most of the start of the process.
			await Bun.sleep(usualMs * (0.3 + 0.75 * Math.random()));
			if (shim !== undefined && round % 4 === 0) shim.switchOn("no-space");
			else running.kill("SIGKILL");
			const finished = await running.finished;
			shim?.switchOff("no-space");
			return finished;
		},
	};
}
