// Sends the same bytes again and again with wrk. No Lua code runs per request, so wrk itself takes little processor time.
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { runScript } from "../load/wrk.ts";
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
	const load = { connections: usualConnections, seconds, ...request };
	const outcome = await runScript(
		script,
		{ ...load, url: url + request.path },
		[],
	);
	folder.remove();
	return outcome.requests;
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
