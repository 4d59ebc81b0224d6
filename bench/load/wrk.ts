// Sends a load with wrk: wrk.lua reads the requests from a file and sends them.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../test/harness/temporary.ts";
import { type Generated, runGenerator } from "./generator.ts";
import {
	expectsErrors,
	headersOf,
	type KeyedTemplate,
	type Load,
	type Outcome,
	withKeys,
} from "./load.ts";

export async function runWrk(load: Load): Promise<Outcome> {
	const folder = temporaryFolder();
	const file = `${folder.path}/requests`;
	const { host, pathname } = new URL(load.url);
	const base = pathname === "/" ? "" : pathname;
	const records = withKeys(load).map((pair) => toRecord(host, base, pair));
	writeFileSync(file, records.join("\0"));
	const numbers = [load.firstNumber, load.animals, load.pauseMs ?? 0];
	const outcome = await runScript(
		script,
		{ ...load, status: expectsErrors(load.templates) ? 400 : 200 },
		[file, ...numbers.map(String)],
	);
	folder.remove();
	return outcome;
}

/** Runs wrk with a script. Rejects if the replies do not have the expected kind of status. */
export async function runScript(
	path: string,
	{ url, connections, seconds, status }: ScriptLoad,
	args: readonly string[],
): Promise<Outcome> {
	const generated = await runGenerator([
		...["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency"],
		// A slow server is measured too. The default is 2 seconds.
		...["--timeout", "10s"],
		...["-s", path, url, "--", ...args],
	]);
	const { stdout, stderr } = generated;
	// wrk counts a 304 as a success.
	const isExpected = /Non-2xx/.test(stdout) === status >= 400;
	const outcome = toOutcome(generated);
	if (!isExpected || outcome === undefined)
		throw new Error(`The load failed: ${stdout}${stderr}`);
	return outcome;
}

interface ScriptLoad extends Pick<Load, "url" | "connections" | "seconds"> {
	readonly status: number;
}

const script = fileURLToPath(new URL("wrk.lua", import.meta.url));

/** The format of wrk.lua: one character for the kind of number, then the request, with `\1` for each number. */
export function toRecord(
	host: string,
	base: string,
	{ template, key }: KeyedTemplate,
): string {
	const { method, path, number, body = "" } = template;
	const withNumber = body.replaceAll("{number}", "123456789");
	const headers = {
		Host: host,
		...headersOf(template, key),
		...(method === "POST" && {
			"Content-Length": Buffer.byteLength(withNumber),
		}),
	};
	const lines = [
		`${method} ${base}${path} HTTP/1.1`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
	];
	const text = `${lines.join("\r\n")}\r\n\r\n${body}`;
	const kind = number === undefined ? "=" : numberKinds[number];
	return kind + text.replaceAll("{number}", "\x01");
}

const numberKinds = { random: "?", padded: "0", next: "+" } as const;

/** Undefined if wrk failed, or could not send all requests. */
export function toOutcome(generated: Generated): Outcome | undefined {
	const { status, stdout, processorSeconds } = generated;
	const [, requests, time, unit = ""] =
		/(\d+) requests in ([\d.]+)(us|ms|s|m)/.exec(stdout) ?? [];
	const [, p99, p99Unit = ""] = /\b99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
	if (status !== 0 || requests === undefined || /Socket errors/.test(stdout))
		return undefined;
	const seconds = (Number(time) * (toMs[unit] ?? 1)) / 1000;
	return {
		requests: Number(requests),
		seconds,
		p99Ms: Number(p99) * (toMs[p99Unit] ?? 1),
		generatorShare: processorSeconds / seconds,
	};
}

const toMs: Readonly<Record<string, number>> = {
	us: 0.001,
	ms: 1,
	s: 1000,
	m: 60_000,
};
