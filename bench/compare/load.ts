// Sends the same bytes again and again with wrk. No Lua code runs per request, so wrk itself takes little processor time.
import { writeFileSync } from "node:fs";
import { start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { usualConnections } from "../plan/sections.ts";
import type { FixedRequest } from "./requests.ts";

/** Returns how many requests were answered. */
export async function sendFixed(
	url: string,
	request: FixedRequest,
	seconds: number,
): Promise<number> {
	const folder = temporaryFolder();
	const script = `${folder.path}/request.lua`;
	writeFileSync(script, toLua(request));
	const { stdout, stderr } = await start(
		[
			...(["wrk", "-t1", `-c${usualConnections}`, `-d${seconds}s`] as const),
			...["-s", script, url + request.path],
		],
		{ cwd: folder.path },
	).finished;
	folder.remove();
	const [, count] = /(\d+) requests in/.exec(stdout) ?? [];
	const isRefused = /Non-2xx/.test(stdout);
	// wrk counts a 304 as a success.
	if (
		count === undefined ||
		/Socket errors/.test(stdout) ||
		isRefused !== request.status >= 400
	)
		throw new Error(`${request.name} failed: ${stdout}${stderr}`);
	return Number(count);
}

/** The script has only assignments, so wrk builds the request once. */
function toLua({ method, headers, body }: FixedRequest): string {
	return [
		`wrk.method = ${JSON.stringify(method)}`,
		...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
		...Object.entries(headers).map(
			([name, value]) =>
				`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
		),
	].join("\n");
}
