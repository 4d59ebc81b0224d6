// Runs cases one after the other against a pet store.
import { randomUUID } from "node:crypto";
import type { Case, CaseRequest, Step } from "./case.ts";
import { type CaseReply, check } from "./check.ts";

export interface Target {
	/** The base address, with its prefix `/v1`. */
	readonly baseUrl: string;
	readonly key: string;
	/** Without it, the cases that need it are skipped. */
	readonly readKey?: string | undefined;
	readonly send: (request: Request) => Promise<Response>;
}

export interface Result {
	readonly case: Case;
	readonly outcome: "passed" | "failed" | "skipped";
	readonly ms: number;
	readonly failure?: Failure;
}

export interface Failure {
	/** The request as a command line, with $KEY for the key. */
	readonly curl: string;
	readonly problems: readonly string[];
	/** The reply: status, headers and the beginning of the body. */
	readonly came: string;
}

export async function* run(
	cases: readonly Case[],
	target: Target,
): AsyncGenerator<Result> {
	for (const one of cases) yield runCase(one, target);
}

async function runCase(one: Case, target: Target): Promise<Result> {
	const startedAt = performance.now();
	const finish = (outcome: Result["outcome"], failure?: Failure): Result => ({
		case: one,
		outcome,
		ms: performance.now() - startedAt,
		...(failure && { failure }),
	});
	if (target.readKey === undefined && one.steps.some(needsReadKey))
		return finish("skipped");
	const saved = createSavedReplies();
	for (const step of one.steps) {
		const failure = await runStep(step, target, saved);
		if (failure !== undefined) return finish("failed", failure);
	}
	return finish("passed");
}

async function runStep(
	{ request, expect, save }: Step,
	target: Target,
	saved: SavedReplies,
): Promise<Failure | undefined> {
	const { url, init } = toFetch(request, target, saved.fill);
	const curl = toCurl(url, init, target);
	let reply: CaseReply;
	try {
		const response = await target.send(new Request(url, init));
		const { status, headers } = response;
		reply = { status, headers, bytes: await response.bytes() };
	} catch (error) {
		return { curl, problems: [`no reply: ${error}`], came: "" };
	}
	const problems = check(expect, reply, saved.fill, saved.text);
	if (problems.length > 0) return { curl, problems, came: toText(reply) };
	if (save !== undefined) saved.save(save, reply);
	return undefined;
}

function needsReadKey({ request }: Step): boolean {
	return request.key === "read";
}

/** The replies that the steps of one case have saved. */
interface SavedReplies {
	readonly save: (name: string, reply: CaseReply) => void;
	/** Replaces the placeholders `{name.part}` and `{unique}`. */
	readonly fill: (text: string) => string;
	/** The body of a saved reply. */
	readonly text: (name: string) => string;
}

function createSavedReplies(): SavedReplies {
	const unique = randomUUID();
	const replies = new Map<string, Record<string, string>>();
	return {
		save(name, { headers, bytes }) {
			const text = new TextDecoder().decode(bytes);
			replies.set(name, {
				text,
				id: /"id"\s*:\s*(-?\d+)/.exec(text)?.[1] ?? "none",
				etag: headers.get("ETag") ?? "none",
				location: headers.get("Location") ?? "none",
				next:
					/<([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1] ??
					"none",
			});
		},
		fill: (text) =>
			text
				.replaceAll("{unique}", unique)
				.replace(
					/\{(\w+)\.(\w+)\}/g,
					(_, name, part) => replies.get(name)?.[part] ?? "none",
				),
		text: (name) => replies.get(name)?.text ?? "",
	};
}

interface Sent {
	readonly method: string;
	readonly headers: Record<string, string>;
	readonly body: string | Uint8Array<ArrayBuffer> | null;
}

function toFetch(
	{ method = "GET", path, key = "valid", headers = {}, body }: CaseRequest,
	target: Target,
	fill: (text: string) => string,
): { url: string; init: Sent } {
	const address = fill(path);
	const { origin } = new URL(target.baseUrl);
	const authorization = toAuthorization(key, target);
	return {
		url: address.startsWith("^")
			? origin + address.slice(1)
			: target.baseUrl + address,
		init: {
			method,
			headers: {
				...(authorization !== undefined && { Authorization: authorization }),
				...Object.fromEntries(
					Object.entries(headers).map(([name, value]) => [name, fill(value)]),
				),
			},
			body: toBytes(body),
		},
	};
}

function toAuthorization(
	key: NonNullable<CaseRequest["key"]>,
	target: Target,
): string | undefined {
	if (key === "none") return undefined;
	if (key === "valid") return `Bearer ${target.key}`;
	if (key === "read") return `Bearer ${target.readKey}`;
	return key.authorization.replaceAll("%", target.key);
}

function toBytes(body: CaseRequest["body"]): Sent["body"] {
	if (body === undefined || typeof body === "string") return body ?? null;
	return new Uint8Array(Buffer.from(body.hex, "hex"));
}

function toCurl(
	url: string,
	{ method, headers, body }: Sent,
	target: Target,
): string {
	const hideKeys = (text: string) =>
		text
			.replaceAll(target.key, "$KEY")
			.replaceAll(target.readKey ?? target.key, "$READ_KEY");
	const parts = ["curl", "-i", "--path-as-is"];
	if (method === "HEAD") parts.push("-I");
	else if (method !== "GET") parts.push("-X", method);
	for (const [name, value] of Object.entries(headers))
		parts.push(
			"-H",
			`"${hideKeys(`${name}: ${value}`).replace(/["\\`]/g, "\\$&")}"`,
		);
	if (typeof body === "string") {
		const shown = body.length > 500 ? `${body.slice(0, 500)}…` : body;
		parts.push("--data-binary", `'${shown.replaceAll("'", "'\\''")}'`);
	} else if (body !== null) {
		const bytes = Buffer.from(body).toString("hex").replace(/../g, "\\x$&");
		parts.push("--data-binary", `$'${bytes}'`);
	}
	return [...parts, `'${url}'`].join(" ");
}

function toText({ status, headers, bytes }: CaseReply): string {
	const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
	const body = new TextDecoder().decode(bytes.slice(0, 1_000));
	return [`HTTP ${status}`, ...lines, "", body].join("\n");
}
