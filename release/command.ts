// Runs the programs that a release needs: git and npm.
import { succeed } from "../harness/package.ts";

/** Returns stdout without its last line break. Throws with all output if the status is not 0. */
export async function execute(
	command: readonly [string, ...string[]],
	cwd: string,
): Promise<string> {
	return (await succeed(command, cwd, inherited)).trimEnd();
}

/** The whole environment, for proxies and signatures, except the folder in which npm runs this program. */
const inherited = Object.fromEntries(
	Object.entries(process.env).flatMap(([name, value]) =>
		value === undefined || name === "npm_config_local_prefix"
			? []
			: [[name, value]],
	),
);
