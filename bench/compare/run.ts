// The two comparisons of the command line: this checkout with another one, and the service with and without each optimisation.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { removeShared } from "../../test/harness/postgres/server.ts";
import { petstore, root } from "../../test/harness/process.ts";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { makeCopy } from "../../test/harness/variant.ts";
import { isInstalled } from "../machine/programs.ts";
import { compare, type Plan } from "./compare.ts";
import { trickList, tricks } from "./tricks.ts";

export async function runComparison(flags: {
	readonly against?: string;
	readonly engine: string;
	readonly rounds: string;
	readonly turns: string;
	readonly only?: string;
}): Promise<void> {
	if (!isInstalled("wrk"))
		throw new Error("A comparison needs wrk (Debian package wrk).");
	const plan: Plan = {
		engine: flags.engine === "postgres" ? "postgres" : "sqlite",
		rounds: Number(flags.rounds),
		turns: Number(flags.turns),
		requests: flags.only === undefined ? undefined : flags.only.split(","),
	};
	if (flags.against === undefined) await compareTricks(plan);
	else console.log(await compareWith(flags.against, plan));
	await removeShared();
}

/** The commit before the operator interface. Only a fixed commit shows a slow loss over many changes. */
export const keptCommit = "c1e8198";

/** Why this checkout cannot be compared with that commit, in a sentence. */
export function findKeptObstacle(): string | undefined {
	if (!isInstalled("wrk"))
		return "wrk is not installed, so no older commit was compared.";
	const args = ["cat-file", "-e", `${keptCommit}^{commit}`];
	return spawnSync("git", args, { cwd: root }).status === 0
		? undefined
		: `This checkout has no commit ${keptCommit}, so no older commit was compared.`;
}

/** Returns a table. `version` is the folder of a checkout with its packages installed, or a commit of this project. */
export async function compareWith(
	version: string,
	plan: Plan,
): Promise<string> {
	const folder = temporaryFolder();
	const isFolder = existsSync(version);
	try {
		if (!isFolder) checkOut(version, folder.path);
		const checkout = isFolder ? version : folder.path;
		const other = { name: version, program: resolve(checkout, "bin/petstore") };
		const own = { name: "this checkout", program: petstore };
		return await compare([other, own], plan);
	} finally {
		folder.remove();
	}
}

function checkOut(commit: string, folder: string): void {
	const run = (program: string, ...args: string[]) =>
		execFileSync(program, args, { cwd: folder, stdio: ["ignore", 2, 2] });
	run("git", "clone", "--quiet", root, ".");
	run("git", "checkout", "--quiet", commit);
	run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
}

/** Compares the service with a copy without one optimisation, one after the other. */
async function compareTricks(plan: Plan): Promise<void> {
	for (const trick of tricks) {
		const chosen = plan.requests?.includes(trick.name) ?? true;
		if (!chosen) continue;
		const folder = temporaryFolder();
		const program = makeCopy(trick, trickList, folder.path);
		const table = await compare(
			[
				{ name: "as it is", program: petstore },
				{ name: trick.name, program },
			],
			{ ...plan, requests: trick.requests },
		);
		console.log(`${table}\n`);
		folder.remove();
	}
}
