// The environment variables of the command line. All begin with PETSTORE_, so that those of other programs are not taken for ours. The
// only other one is PORT, which hosting platforms set.
import type { Option } from "commander";

/** Lets the option read PORT if there is no PETSTORE_PORT. */
export function readPlatformPort(option: Option): void {
	if (isSet("PORT") && !isSet("PETSTORE_PORT")) option.env("PORT");
}

/** Requests of this process go to their address, also if HTTP_PROXY is set. Bun has no option of fetch for that. */
export function ignoreProxies(): void {
	process.env.NO_PROXY = "*";
}

/** An empty NO_COLOR counts as unset (no-color.org). */
export function wantsColours(): boolean {
	return !isSet("NO_COLOR");
}

/** Removes our empty variables from the environment: they count as unset, but Commander would take them for values. */
export function removeEmptyVariables(): void {
	for (const name in process.env)
		if (/^(PETSTORE_.*|PORT)$/.test(name) && !isSet(name))
			delete process.env[name];
}

function isSet(name: string): boolean {
	return (process.env[name] ?? "") !== "";
}
