// The two comparisons of the command line: this checkout with another one, and the service with and without each optimisation.
import { resolve } from "node:path";
import { removeShared } from "../../harness/postgres/server.ts";
import { petstore } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { makeCopy } from "../../harness/variant.ts";
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
	else await compareWith(flags.against, plan);
	await removeShared();
}

async function compareWith(folder: string, plan: Plan): Promise<void> {
	const other = { name: folder, program: resolve(folder, "bin/petstore") };
	const own = { name: "this checkout", program: petstore };
	console.log(await compare([other, own], plan));
}

/** Compares the service with a copy of it in which one optimisation is replaced, for one optimisation after the other. */
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
