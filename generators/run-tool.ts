// Tries one tool, if the machine has what it needs.
import { isInstalled } from "../bench/machine/programs.ts";
import type { Outcome } from "./judges.ts";
import type { Tool } from "./tools.ts";
import { withTrial } from "./trial.ts";

/** The start of the result of a tool that was not run. */
export const notRun = "Not run";

export async function runTool(tool: Tool): Promise<Outcome> {
	const missing = tool.needs.find((program) => !isInstalled(program));
	if (missing !== undefined)
		return {
			result: `${notRun}: \`${missing}\` was not installed.`,
			int64: "",
		};
	return withTrial((trial) => tool.judge(trial, tool.command));
}
