// Tries code generators, linters and test tools on our OpenAPI document and a sandbox, and writes the table of
// docs/generators.md.
//
// Usage: npm run generators [-- --only NAME]   (with --only it writes nothing)
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installPackages } from "../bench/peers/install.ts";
import { toDay } from "../bench/report/circumstances.ts";
import { cleanUpAtExit } from "../harness/clean-up.ts";
import { removeShared } from "../harness/postgres/server.ts";
import { root } from "../harness/process.ts";
import { installFurther } from "./install.ts";
import { notRun, runTool } from "./run-tool.ts";
import { type Row, withTable } from "./table.ts";
import { tools } from "./tools.ts";
import { packagesFolder } from "./versions.ts";

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });
const chosen = tools.filter(
	({ name }) => flags.only === undefined || name === flags.only,
);
if (chosen.length === 0) {
	const names = tools.map(({ name }) => name).join("; ");
	console.error(`There is no tool ${flags.only}. The tools are: ${names}.`);
	process.exit(2);
}

cleanUpAtExit();

installPackages(packagesFolder);
await installFurther();
const rows: Row[] = [];
for (const tool of chosen) {
	const outcome = await runTool(tool);
	console.log(`${tool.name}: ${outcome.result} ${outcome.int64}`);
	// Lists only tools that were run.
	if (!outcome.result.startsWith(notRun))
		rows.push({ tool, outcome, day: toDay(new Date()) });
}
if (flags.only === undefined) {
	const path = `${root}docs/generators.md`;
	writeFileSync(path, withTable(readFileSync(path, "utf8"), rows));
	console.log("Written to docs/generators.md.");
}
await removeShared();
process.exit();
