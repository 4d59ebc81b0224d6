// Makes a release: a commit and a tag with the version, and a folder with the files to publish. It publishes nothing itself.
//
// Usage: npm run release -- X.Y.Z [--dry-run] [--out FOLDER] [--targets TARGET,TARGET]
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { cleanUpAtExit } from "../harness/clean-up.ts";
import { root } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { readArguments } from "./arguments.ts";
import { describeResult } from "./result.ts";
import { type Plan, steps } from "./steps.ts";

cleanUpAtExit();

const given = readArguments(process.argv.slice(2), process.env);
if (typeof given === "string") {
	console.error(`release: ${given}`);
	process.exit(2);
}
const { isDryRun } = given;
const folder = temporaryFolder().path;
const plan: Plan = {
	...given,
	checkout: root.replace(/\/$/, ""),
	clone: `${folder}/clone`,
	files: `${folder}/files`,
	out: resolve(given.out),
};
mkdirSync(plan.files);

const mode = isDryRun ? "dry run" : "release";
for (const { title, run } of steps.filter(({ only = mode }) => only === mode)) {
	console.log(`${title}.`);
	try {
		await run(plan);
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		console.error("release: stopped. Nothing was published.");
		process.exit(1);
	}
}
console.log(describeResult(plan, isDryRun));
process.exit();
