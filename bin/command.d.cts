// The type of command.cjs, for the test helper.
export function toCommand(
	args: readonly string[],
): [program: string, ...args: string[]];
