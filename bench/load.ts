// Sends a request again and again with wrk, on 32 connections.
import { writeFileSync } from "node:fs";
import { temporaryFolder } from "../test/harness/temporary.ts";

export interface Request {
	readonly method: "GET" | "POST";
	/** In path, headers and body `{number}` is another number in each request. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	/** The highest id of an animal, to get them at random. Otherwise numbers of nine digits follow each other. */
	readonly highestId?: number;
	/** The status of a correct reply. */
	readonly status: number;
}

export const connections = 32;

interface Outcome {
	readonly requests: number;
	readonly seconds: number;
}

/** Rejects if a reply does not have the expected kind of status, because then the figures mean nothing. */
export async function load(
	url: string,
	request: Request,
	seconds: number,
	firstNumber: number,
	count = connections,
): Promise<Outcome> {
	const folder = temporaryFolder();
	const script = `${folder.path}/request.lua`;
	writeFileSync(script, toLua(url, request, firstNumber));
	const { stdout } = Bun.spawn(
		[
			...["wrk", "-t1", `-c${count}`, `-d${seconds}s`],
			...["--timeout", "10s", "-s", script, url],
		],
		{ stdin: "ignore", stderr: "inherit" },
	);
	const output = await new Response(stdout).text();
	folder.remove();
	const [, requests, time, unit = ""] =
		/(\d+) requests in ([\d.]+)(s|m)/.exec(output) ?? [];
	// wrk counts a 304 as a success.
	const [, errors = "0"] = /Non-2xx or 3xx responses: (\d+)/.exec(output) ?? [];
	const expected = request.status >= 400 ? requests : "0";
	if (errors !== expected || /Socket errors/.test(output))
		throw new Error(`The load failed: ${output}`);
	return {
		requests: Number(requests),
		seconds: Number(time) * (unit === "m" ? 60 : 1),
	};
}

/** Sends one request, and returns its reply. */
export async function sendOnce(
	url: string,
	request: Request,
	number: number,
): Promise<Response> {
	const { method, path, headers, body } = fill(request, String(number));
	return fetch(url + path, { method, headers, ...(body && { body }) });
}

function fill(request: Request, digits: string): Request {
	const replaced = JSON.stringify(request).replaceAll("{number}", digits);
	return JSON.parse(replaced);
}

function toLua(url: string, request: Request, firstNumber: number): string {
	const { method, path, headers, body = "", highestId } = request;
	const length = body.replaceAll("{number}", "123456789").length;
	const lines = [
		`${method} ${path} HTTP/1.1`,
		`Host: ${new URL(url).host}`,
		...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
		...(method === "POST" ? [`Content-Length: ${length}`] : []),
	];
	const parts = `${lines.join("\r\n")}\r\n\r\n${body}`
		.split("{number}")
		.map((part) => JSON.stringify(part));
	const [only, ...others] = parts;
	const concatenated =
		highestId === undefined
			? 'table.concat(parts, string.format("%09d", number))'
			: `table.concat(parts, math.random(${highestId}))`;
	return `
		local parts, number = { ${parts.join(", ")} }, ${firstNumber}
		math.randomseed(number)
		function request()
			number = number + 1
			return ${others.length === 0 ? only : concatenated}
		end`;
}
