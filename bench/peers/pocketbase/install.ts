// Builds PocketBase from the Go module proxy, once, in the user's cache folder.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isInstalled } from "../../machine/programs.ts";

export const version = "0.38.2";

const folder = `${process.env.XDG_CACHE_HOME ?? `${homedir()}/.cache`}/petstore-bench/pocketbase-${version}`;

/** PocketBase's own program with its default settings is called `base`. */
export const program = `${folder}/base`;

/** Builds the program if it is missing. Returns a sentence if that is not possible. */
export function findObstacle(): string | undefined {
	if (existsSync(program)) return undefined;
	if (!isInstalled("go"))
		return "Go is not installed, so PocketBase was not measured.";
	console.error(`Building PocketBase ${version} in ${folder}.`);
	mkdirSync(folder, { recursive: true });
	try {
		execFileSync(
			"go",
			["install", `github.com/pocketbase/pocketbase/examples/base@v${version}`],
			{ env: { ...process.env, GOBIN: folder }, stdio: ["ignore", 2, 2] },
		);
		return undefined;
	} catch {
		return `PocketBase ${version} could not be built, so it was not measured.`;
	}
}
