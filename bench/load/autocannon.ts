// Sends a load with autocannon, where wrk is not installed. autocannon is slower than the fastest servers, so it limits the figures.
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { node, peersFolder } from "../peers/install.ts";
import { runGenerator } from "./generator.ts";
import {
	expectsErrors,
	headersOf,
	type Load,
	type Outcome,
	withKeys,
} from "./load.ts";

export async function runAutocannon(load: Load): Promise<Outcome> {
	const folder = temporaryFolder();
	const file = `${folder.path}/load.json`;
	const base = new URL(load.url).pathname.replace(/\/$/, "");
	const templates = withKeys(load).map(({ template, key }) => ({
		...template,
		path: base + template.path,
		headers: headersOf(template, key),
	}));
	writeFileSync(file, JSON.stringify({ ...load, templates }));
	const { status, stdout, stderr, processorSeconds } = await runGenerator([
		node,
		`${peersFolder}/load.js`,
		file,
	]);
	folder.remove();
	if (status !== 0) throw new Error(`The load failed: ${stderr}`);
	const { requests, seconds, p99Ms, failures, errors } = JSON.parse(stdout);
	if (errors > 0 || failures > 0 !== expectsErrors(load.templates))
		throw new Error(`The load failed: ${stdout}`);
	const generatorShare = processorSeconds / seconds;
	return { requests, seconds, p99Ms, generatorShare };
}
