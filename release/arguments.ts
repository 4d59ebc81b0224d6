// The arguments of `npm run release`.
import { parseArgs } from "node:util";
import { targets } from "../build/executable/targets.ts";

export interface Arguments {
	readonly version: string;
	readonly isDryRun: boolean;
	readonly out: string;
	readonly targets: readonly string[];
}

const usage =
	"Usage: npm run release -- X.Y.Z [--dry-run] [--out FOLDER] [--targets TARGET,TARGET]";

/** Returns a message if the arguments are wrong. */
export function readArguments(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
): Arguments | string {
	// Otherwise a missing "--" would turn a dry run into a release.
	if (environment.npm_config_dry_run === "true")
		return `npm has taken --dry-run for an option of its own, because "--" is missing. ${usage}`;
	try {
		return parse(args);
	} catch (error) {
		return `${error instanceof Error ? error.message : error} ${usage}`;
	}
}

function parse(args: readonly string[]): Arguments {
	const { values, positionals } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			"dry-run": { type: "boolean", default: false },
			out: { type: "string" },
			targets: { type: "string" },
		},
	});
	const [version, ...others] = positionals;
	if (version === undefined || others.length > 0)
		throw new Error("Give one version.");
	return {
		version,
		isDryRun: values["dry-run"],
		// Beside the checkout, where git and npm do not see the files.
		out: values.out ?? `../petstore-service-${version}`,
		targets: toTargets(values.targets?.split(",")),
	};
}

function toTargets(names = targets.map(({ name }) => name)): readonly string[] {
	const unknown = names.find(
		(name) => !targets.some((one) => one.name === name),
	);
	if (unknown !== undefined)
		throw new Error(`There is no target "${unknown}" of executables.`);
	return names;
}
