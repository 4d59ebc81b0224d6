// Sends a load with autocannon, where wrk is not installed. autocannon is slower than the fastest servers, so it limits the figures.
import { writeFileSync } from "node:fs";
import { start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { node, peersFolder } from "../peers/install.ts";
import { expectsErrors, headersOf, type Load, type Outcome } from "./load.ts";

export async function runAutocannon(load: Load): Promise<Outcome> {
	const folder = temporaryFolder();
	const file = `${folder.path}/load.json`;
	const base = new URL(load.url).pathname.replace(/\/$/, "");
	const templates = load.templates.map((template) => ({
		...template,
		path: base + template.path,
		headers: headersOf(template),
	}));
	writeFileSync(file, JSON.stringify({ ...load, templates }));
	const { status, stdout, stderr } = await start(
		[node, `${peersFolder}/load.js`, file],
		{ cwd: folder.path },
	).finished;
	folder.remove();
	if (status !== 0) throw new Error(`The load failed: ${stderr}`);
	const { rate, p99Ms, failures, errors } = JSON.parse(stdout);
	if (errors > 0 || failures > 0 !== expectsErrors(load.templates))
		throw new Error(`The load failed: ${stdout}`);
	return { rate, p99Ms };
}
