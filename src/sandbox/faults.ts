// The fault rules, and how a fault is applied to a request.
import { setTimeout as sleep } from "node:timers/promises";
import { httpStatus, type Operation } from "../contract/operation.ts";
import { operator } from "../contract/operator/interface.ts";
import { v1 } from "../contract/v1/interface.ts";
import { errorStatus, Failure } from "../domain/errors.ts";
import type { Reply } from "../http/reply.ts";
import type { Call, Route, Surface } from "../http/surface.ts";
import {
	type Delay,
	type Effects,
	type FaultyCall,
	toMs,
	wasReset,
} from "./fault-kinds.ts";
import {
	type Fault,
	faultHeader,
	type Rule,
	toHeaderFault,
	toText,
} from "./fault-rule.ts";
import { createRandom } from "./random.ts";

export type Faults = ReturnType<typeof createFaults>;

/** The fault of a request, and what became of its reply. */
interface Outcome {
	/** The id or name of its key. */
	readonly key: string | null;
	fault: Fault;
	/** The status of the reply that was not sent. */
	unsentStatus: number | null;
	/** Changes the reply before it is sent. `cut` closes the connection instead. */
	toSent: (response: Response) => Promise<Response | "cut">;
}

const operations = new Map<string, Operation>(
	[v1, operator].flatMap(({ operations }) => Object.entries(operations)),
);

export function createFaults(seed: number) {
	const outcomes = new WeakMap<Request, Outcome>();
	let rules: readonly Rule[] = [];
	let ended = new AbortController();
	let random = createRandom(seed);

	/** Uses up one request of the first rule that applies. A fault in the header comes first, and uses up no rule. */
	function take(id: string, { headers }: Request): Fault {
		const header = headers.get(faultHeader);
		if (header !== null) return toHeaderFault(header);
		let fault: Fault | undefined;
		rules = rules.flatMap((rule) => {
			const { skip, probability = 1 } = rule;
			if (fault !== undefined || !fits(rule, id)) return [rule];
			if (skip > 0) return [{ ...rule, skip: skip - 1 }];
			if (probability < 1 && random() >= probability) return [rule];
			fault = rule.fault;
			return toRest(rule);
		});
		return fault ?? [];
	}

	async function answer(
		id: string,
		{ errors, success }: Operation,
		handle: Route["handle"],
		call: Call,
	): Promise<Reply> {
		const { keyId } = call.identity;
		const { signal } = ended;
		const own: Outcome = {
			key: keyId === undefined ? null : String(keyId),
			fault: [],
			unsentStatus: null,
			async toSent(response) {
				const sent = await runAfter(own.fault, response, signal);
				// `mid-body` cuts a reply without a body before its first byte.
				if (sent === "cut") own.unsentStatus = response.status;
				return sent;
			},
		};
		outcomes.set(call.request, own);
		const fault = take(id, call.request);
		own.fault = fault;
		const logged = fault.length > 0 && { fault: toText(fault) };
		const first = await runBefore(fault, {
			call,
			codes: errors,
			signal,
			random: () => random(),
			async doUnsent() {
				own.unsentStatus = await toStatus(handle, call, success);
			},
		});
		if (first === "cut") {
			own.toSent = async () => "cut";
			// The log shows no status.
			const shown = { status: undefined, ...logged };
			return { status: httpStatus.noContent, logged: shown };
		}
		const reply = first ?? (await handle(call));
		return logged
			? { ...reply, logged: { ...reply.logged, ...logged } }
			: reply;
	}

	return {
		/** Replaces all rules. */
		put(replacement: readonly Rule[]): void {
			rules = replacement;
		},
		/** The rules that are not used up. */
		list: () => rules,
		/** Undefined without an operation or a valid key. */
		findOutcome: (request: Request) => outcomes.get(request),
		/** The route of an operation, with the faults of the rules or the header. */
		wrap(route: Route): Route {
			const { operationId: id = "", handle } = route;
			const operation = operations.get(id);
			return operation === undefined
				? route
				: { ...route, handle: (call) => answer(id, operation, handle, call) };
		},
		/** Delays every request to an interface, even one that is then refused. A reset or a stop ends the wait. */
		delay(surface: Surface, delay: Delay): Surface {
			const isInterface = surface.routes.some(({ operationId = "" }) =>
				operations.has(operationId),
			);
			if (!isInterface) return surface;
			return {
				...surface,
				async authenticate(request) {
					const { signal } = ended;
					await sleep(toMs(delay, random), undefined, { signal }).catch(
						() => {},
					);
					return surface.authenticate(request, performance.now());
				},
			};
		},
		/** Removes all rules, and drops the requests that wait in a delay. */
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

/** The reply of a fault, if one replaces the request. */
async function runBefore(
	steps: readonly Effects[],
	call: FaultyCall,
): Promise<Reply | "cut" | undefined> {
	for (const { before } of steps) {
		const reply = await before?.(call);
		if (reply === "cut") return reply;
		if (reply !== undefined)
			return steps.reduce((one, { change }) => change?.(one) ?? one, reply);
	}
	return undefined;
}

async function runAfter(
	fault: Fault,
	response: Response,
	signal: AbortSignal,
): Promise<Response | "cut"> {
	let sent = response;
	for (const { after } of fault) {
		const next = (await after?.(sent, signal)) ?? sent;
		if (next === "cut") return next;
		sent = next;
	}
	return sent;
}

/** Whether the rule matches the request, ignoring its probability. */
function fits({ operation }: Rule, id: string): boolean {
	return operation === undefined ? id in v1.operations : operation === id;
}

/** Runs the request, and returns the status of its reply. */
async function toStatus(
	handle: Route["handle"],
	call: Call,
	{ status }: Operation["success"],
): Promise<number> {
	try {
		return (await handle(call)).status ?? status;
	} catch (error) {
		return errorStatus[error instanceof Failure ? error.code : "internal"];
	}
}

function toRest(rule: Rule): readonly Rule[] {
	const { times } = rule;
	if (times === "always") return [rule];
	return times === 1 ? [] : [{ ...rule, times: times - 1 }];
}
