// Sends a load with wrk: wrk.lua reads the requests from a file and sends them.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { start } from "../../harness/process.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import type { Template } from "../plan/trials.ts";
import { expectsErrors, headersOf, type Load, type Outcome } from "./load.ts";

export async function runWrk(load: Load): Promise<Outcome> {
	const { url, templates, connections, seconds } = load;
	const folder = temporaryFolder();
	const requests = `${folder.path}/requests`;
	writeFileSync(requests, templates.map(toRecord(new URL(url))).join("\0"));
	const { status, stdout, stderr } = await start(
		[
			...(["wrk", "-t1", `-c${connections}`, `-d${seconds}s`] as const),
			...["--latency", "-s", script, url, "--", requests],
			...[load.firstNumber, load.animals, toPauseMs(load)].map(String),
		],
		{ cwd: folder.path },
	).finished;
	folder.remove();
	const isExpected = status === 0 && hasExpectedReplies(stdout, templates);
	if (!isExpected) throw new Error(`The load failed: ${stdout}${stderr}`);
	return toOutcome(stdout);
}

const script = fileURLToPath(new URL("wrk.lua", import.meta.url));

/** The mean pause of a connection between a reply and its next request. */
function toPauseMs({ connections, rate }: Load): number {
	return rate === undefined
		? 0
		: Math.max(0, (1000 * connections) / rate - replyMs);
}

/** Approximately what a request takes on a server that is not saturated. */
const replyMs = 0.25;

/** The format that wrk.lua reads: one character for the kind of number, then the request, with `\1` in place of each number. */
function toRecord({ host, pathname }: URL): (template: Template) => string {
	return (template) => {
		const { method, path, number, body = "" } = template;
		const withNumber = body.replaceAll("{number}", "123456789");
		const headers = {
			Host: host,
			...headersOf(template),
			...(method === "POST" && {
				"Content-Length": Buffer.byteLength(withNumber),
			}),
		};
		const lines = [
			`${method} ${pathname === "/" ? "" : pathname}${path} HTTP/1.1`,
			...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		];
		const text = `${lines.join("\r\n")}\r\n\r\n${body}`;
		const kind = number === undefined ? "=" : number === "random" ? "?" : "+";
		return kind + text.replaceAll("{number}", "\x01");
	};
}

function hasExpectedReplies(
	output: string,
	templates: readonly Template[],
): boolean {
	const hasErrors = /Non-2xx/.test(output);
	return (
		hasErrors === expectsErrors(templates) && !/Socket errors/.test(output)
	);
}

function toOutcome(output: string): Outcome {
	const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
	const [, p99, unit = ""] = /\b99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
	const toMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
	return { rate: Number(rate), p99Ms: Number(p99) * (toMs[unit] ?? 1) };
}
