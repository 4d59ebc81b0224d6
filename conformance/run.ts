// Runs cases one after the other against a pet store.
import type { Case, Step } from "./case.ts";
import { type CaseReply, check } from "./check.ts";
import { toCurl } from "./curl.ts";
import { hideKeys, hideKeysInReply } from "./hide-keys.ts";
import { readBody } from "./read-body.ts";
import { type Target, toSent } from "./request.ts";
import { createSavedReplies, type SavedReplies } from "./saved-replies.ts";

export interface Result {
	readonly case: Case;
	readonly outcome: "passed" | "failed" | "skipped";
	readonly ms: number;
	readonly failure?: Failure;
	/** Why the case was skipped. */
	readonly skipReason?: string;
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
		const outcome = await runCase(one, target);
		yield { case: one, ms: performance.now() - startedAt, ...outcome };
	}
}

/** Whether the target has what the case needs. */
export function canRun(one: Case, target: Pick<Target, "readKey">): boolean {
	return (
		target.readKey !== undefined ||
		!one.steps.some(({ request }) => request.key === "read")
	);
}

async function runCase(
	one: Case,
	target: Target,
): Promise<Omit<Result, "case" | "ms">> {
	if (!canRun(one, target))
		return {
			outcome: "skipped",
			skipReason: "it needs a key that may only read: give --read-key",
		};
	const saved = createSavedReplies();
	for (const step of one.steps) {
		const failure = await runStep(step, target, saved);
		if (failure !== undefined) return { outcome: "failed", failure };
	}
	return { outcome: "passed" };
}

async function runStep(
	step: Step,
	target: Target,
	saved: SavedReplies,
): Promise<Failure | undefined> {
	const sent = toSent(step.request, target, saved.fill);
	const curl = toCurl(sent, step.request.key, target.curlFlags ?? []);
	let reply: CaseReply;
	try {
		reply = await readReply(await target.send(new Request(sent.url, sent)));
	} catch (error) {
		return { step, curl, problems: [`no reply: ${error}`], reply: undefined };
	}
	const problems = check(step.expect, reply, saved.fill, saved.text);
	if (problems.length > 0)
		return {
			step,
			curl,
			problems: problems.map((problem) => hideKeys(problem, target)),
			reply: hideKeysInReply(reply, target),
		};
	if (step.save !== undefined) saved.save(step.save, reply);
	return undefined;
}

async function readReply(response: Response): Promise<CaseReply> {
	const { status, headers } = response;
	return { status, headers, bytes: await readBody(response) };
}
