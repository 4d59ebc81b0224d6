// The fault rules, and how a fault is applied to a request.
import { httpStatus, type Operation } from "../contract/operation.ts";
import { errorStatus, Failure } from "../domain/errors.ts";
import type { Reply } from "../http/reply.ts";
import type { Call, Route } from "../http/surface.ts";
import { faultHeader } from "./access.ts";
import {
	type Delay,
	type FaultyCall,
	faultKinds,
	isReset,
	wasReset,
} from "./fault-kinds.ts";
import { type Fault, type Rule, toHeaderFault, toText } from "./fault-rule.ts";
import { createRandom } from "./random.ts";

export type Faults = ReturnType<typeof createFaults>;

/** What becomes of a request that meets a fault. */
export interface FaultyExchange {
	readonly allowIdle: (ms: number) => void;
	/** The fault that it has met, as the list of requests shows it. */
	fault: Fault | undefined;
	/** The status of the reply that was not sent. */
	unsentStatus: number | null;
	/** Changes the reply before it is sent. `cut` closes the connection in its place. */
	toSent: (response: Response) => Promise<Response | "cut">;
}

/** An operation that a fault can be for. Rules that name no operation are for those of `/v1`. */
export interface FaultyOperation {
	readonly id: string;
	readonly isOfCatalogue: boolean;
	readonly codes: Operation["errors"];
}

export function createFaults(options: {
	find: (request: Request) => FaultyExchange | undefined;
	/** For every request, besides its fault. */
	delay: Delay | undefined;
	seed: number;
}) {
	const { find, delay } = options;
	let rules: readonly Rule[] = [];
	let ended = new AbortController();
	let random = createRandom(options.seed);

	/** Takes one from the first rule that fits and lets no request pass. A header comes first, and takes nothing from the rules. */
	function take(
		operation: FaultyOperation,
		{ headers }: Request,
	): Fault | undefined {
		const header = headers.get(faultHeader);
		if (header !== null) return toHeaderFault(header, operation.id);
		let fault: Fault | undefined;
		rules = rules.flatMap((rule) => {
			const { skip, probability = 1 } = rule;
			if (fault !== undefined || !fits(rule, operation, headers)) return [rule];
			if (skip > 0) return [{ ...rule, skip: skip - 1 }];
			if (probability < 1 && random() >= probability) return [rule];
			fault = rule.fault;
			return toRest(rule);
		});
		return fault;
	}

	async function apply(
		fault: Fault,
		operation: FaultyOperation,
		handle: Route["handle"],
		call: Call,
	): Promise<Reply> {
		const exchange = find(call.request);
		const faulty: FaultyCall = {
			...{ call, codes: operation.codes, signal: ended.signal },
			async doUnsent() {
				const status = await toStatus(handle, call);
				if (exchange !== undefined) exchange.unsentStatus = status;
			},
			random: () => random(),
			allowIdle: (ms) => exchange?.allowIdle(ms),
		};
		const logged = { fault: toText(fault) };
		if (exchange !== undefined) {
			exchange.fault = fault;
			exchange.toSent = (response) => runAfter(fault, response, faulty);
		}
		for (const { before } of fault) {
			const reply = await before(faulty);
			if (reply === "cut") {
				if (exchange !== undefined) exchange.toSent = async () => "cut";
				return toNoReply(call, logged);
			}
			if (reply === undefined) continue;
			const changed = fault.reduce((one, { change }) => change(one), reply);
			return { ...changed, logged: { ...reply.logged, ...logged } };
		}
		return { ...(await handle(call)), logged };
	}

	return {
		/** Replaces all rules. */
		put(replacement: readonly Rule[]): void {
			rules = replacement;
		},
		/** The rules that have something left. */
		list: () => rules,
		/** The handler of the operation, with the faults that the rules or the header ask for. */
		wrap(operation: FaultyOperation, handle: Route["handle"]): Route["handle"] {
			return async (call) => {
				const fault = take(operation, call.request);
				const isEnded =
					delay !== undefined &&
					(await isReset(delay, {
						...{ random: () => random(), signal: ended.signal },
						allowIdle: (ms) => find(call.request)?.allowIdle(ms),
					}));
				if (isEnded) return toNoReply(call, {});
				return fault === undefined
					? handle(call)
					: apply(fault, operation, handle, call);
			};
		},
		/** Removes all rules, and ends the requests that wait in a fault, without doing them. */
		reset(seed: number): void {
			rules = [];
			random = createRandom(seed);
			ended.abort(wasReset);
			ended = new AbortController();
		},
		/** Ends all delays. */
		close: () => ended.abort(),
	};
}

async function runAfter(
	fault: Fault,
	response: Response,
	call: FaultyCall,
): Promise<Response | "cut"> {
	let sent = response;
	for (const { after } of fault) {
		const next = await after(sent, call);
		if (next === "cut") return next;
		sent = next;
	}
	return sent;
}

/** Whether the rule is for this request, without regard to chance. */
function fits(
	{ operation, fault }: Rule,
	{ id, isOfCatalogue }: FaultyOperation,
	headers: Headers,
): boolean {
	if (operation === undefined ? !isOfCatalogue : operation !== id) return false;
	const accepted = headers.get("accept") ?? "";
	return fault.every(({ name }) =>
		accepted.includes(faultKinds[name]?.only?.accept ?? ""),
	);
}

/** Does the request, and returns the status of its reply. */
async function toStatus(handle: Route["handle"], call: Call): Promise<number> {
	try {
		return (await handle(call)).status;
	} catch (error) {
		return errorStatus[error instanceof Failure ? error.code : "internal"];
	}
}

function toRest(rule: Rule): readonly Rule[] {
	const { times } = rule;
	if (times === "always") return [rule];
	return times === 1 ? [] : [{ ...rule, times: times - 1 }];
}

/** The log shows no status. */
function toNoReply({ headers }: Call, logged: { fault?: string }): Reply {
	const status = httpStatus.noContent;
	return { status, headers, logged: { status: undefined, ...logged } };
}
