// Runs cases one after the other against a pet store.
import { randomUUID } from "node:crypto";
import type { Case, Step } from "./case.ts";
import { type CaseReply, check } from "./check.ts";
import { type Target, toCurl, toSent } from "./request.ts";

export interface Result {
	readonly case: Case;
	readonly ms: number;
	/** Undefined if the case passed. */
	readonly failure: Failure | undefined;
}

export interface Failure {
	/** The step that failed. The steps after it were not run. */
	readonly step: Step;
	/** The request as a command line, with $KEY for the key. */
	readonly curl: string;
	readonly problems: readonly string[];
	/** Undefined without a reply. */
	readonly reply: CaseReply | undefined;
}

export async function* run(
	cases: readonly Case[],
	target: Target,
): AsyncGenerator<Result> {
	for (const one of cases) {
		const startedAt = performance.now();
		const failure = await runCase(one, target);
		yield { case: one, ms: performance.now() - startedAt, failure };
	}
}

async function runCase(
	{ steps }: Case,
	target: Target,
): Promise<Failure | undefined> {
	const saved = createSavedReplies();
	for (const step of steps) {
		const failure = await runStep(step, target, saved);
		if (failure !== undefined) return failure;
	}
	return undefined;
}

async function runStep(
	step: Step,
	target: Target,
	saved: ReturnType<typeof createSavedReplies>,
): Promise<Failure | undefined> {
	const sent = toSent(step.request, target, saved.fill);
	const curl = toCurl(sent, step.request.key);
	let reply: CaseReply;
	try {
		const response = await target.send(new Request(sent.url, sent));
		const { status, headers } = response;
		reply = { status, headers, bytes: await readBody(response) };
	} catch (error) {
		return { step, curl, problems: [`no reply: ${error}`], reply: undefined };
	}
	const problems = check(step.expect, reply, saved.fill, saved.text);
	if (problems.length > 0) return { step, curl, problems, reply };
	if (step.save !== undefined) saved.save(step.save, reply);
	return undefined;
}

/** An endless body must not fill the memory. */
const maxMebibytes = 16;

export async function readBody(response: Response): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let size = 0;
	for await (const part of response.body ?? []) {
		size += part.length;
		if (size > maxMebibytes * 1024 ** 2)
			throw new RangeError(`the body has more than ${maxMebibytes} MiB`);
		parts.push(part);
	}
	return Buffer.concat(parts);
}

/** The replies that steps of a case have saved, and their placeholders in later steps. */
function createSavedReplies() {
	const unique = randomUUID();
	const replies = new Map<string, Record<string, string>>();
	return {
		save(name: string, reply: CaseReply) {
			replies.set(name, toParts(reply));
		},
		/** Replaces the placeholders `{name.part}` and `{unique}`. */
		fill: (text: string) =>
			text
				.replaceAll("{unique}", unique)
				.replace(
					/\{(\w+)\.(\w+)\}/g,
					(_, name, part) => replies.get(name)?.[part] ?? "none",
				),
		/** The body of a saved reply. */
		text: (name: string) => replies.get(name)?.text ?? "",
	};
}

function toParts({ headers, bytes }: CaseReply): Record<string, string> {
	const text = new TextDecoder().decode(bytes);
	const link = headers.get("Link") ?? "";
	return {
		text,
		id: /"id"\s*:\s*(-?\d+)/.exec(text)?.[1] ?? "none",
		etag: headers.get("ETag") ?? "none",
		location: headers.get("Location") ?? "none",
		next: /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? "none",
	};
}
