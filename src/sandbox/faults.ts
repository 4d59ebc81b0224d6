// The fault rules, and how a fault is applied to a request.
import { setTimeout as sleep } from "node:timers/promises";
import { challenge } from "../auth/key-auth.ts";
import { httpStatus } from "../contract/operation.ts";
import { type OperationId, operationIds } from "../contract/v1/operations.ts";
import { Failure, isTransient } from "../domain/errors.ts";
import type { Source } from "../http/exchange.ts";
import { type Reply, toErrorReply } from "../http/reply.ts";
import type { Call, Route } from "../http/surface.ts";
import {
	codesOf,
	type Fault,
	faultHeader,
	faultMembers,
	type Rule,
	toHeaderFault,
} from "./fault-rule.ts";

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(connection: {
	allowIdle: Source["allowIdle"];
	/** No reply to the request will be sent. */
	cut: (request: Request) => void;
}) {
	let rules: readonly Rule[] = [];
	let delays = new AbortController();

	/** The header, else one use of the first matching rule. */
	function take(id: OperationId, { headers }: Request): Fault | undefined {
		const header = headers.get(faultHeader);
		if (header !== null) return toHeaderFault(header, id);
		const rule = rules.find((one) => fits(one, id));
		rules = rules.flatMap((one) => (one === rule ? toRest(one) : [one]));
		return rule;
	}

	async function apply(
		fault: Fault,
		id: OperationId,
		handle: Route["handle"],
		call: Call,
	): Promise<Reply> {
		const { request } = call;
		const logged = { fault: toText(fault) };
		if (fault.delay !== undefined) {
			connection.allowIdle(request, fault.delay);
			if (await isCancelled(fault.delay)) return toNoReply(call, logged);
		}
		if (fault.status !== undefined)
			return toFaultReply(call, id, fault.status, logged);
		if (fault.drop === undefined) return { ...(await handle(call)), logged };
		// Its reply, even an error, is not sent.
		if (fault.drop === "after-commit")
			await Promise.try(handle, call).catch(() => {});
		connection.cut(request);
		return toNoReply(call, logged);
	}

	/** Waits. Returns whether a reset has ended the wait. */
	async function isCancelled(ms: number): Promise<boolean> {
		const { signal } = delays;
		await sleep(ms, undefined, { signal }).catch(() => {});
		return signal.reason === cancelled;
	}

	return {
		/** Replaces all rules. */
		put(replacement: readonly Rule[]): void {
			rules = replacement;
		},
		/** The rules that still apply. */
		list: () => rules,
		/** The route, with the faults that the rules or the header ask for if it is an operation. */
		wrap(route: Route): Route {
			const id = toOperationId(route);
			if (id === undefined) return route;
			const { handle } = route;
			return {
				...route,
				handle(call) {
					const fault = take(id, call.request);
					return fault === undefined
						? handle(call)
						: apply(fault, id, handle, call);
				},
			};
		},
		/** Removes all rules, and ends the requests that wait in a delay, without doing them. */
		reset(): void {
			rules = [];
			delays.abort(cancelled);
			delays = new AbortController();
		},
		/** Ends all delays. */
		close: () => delays.abort(),
	};
}

export function toOperationId({ operationId }: Route): OperationId | undefined {
	return operationIds.find((id) => id === operationId);
}

const cancelled = new Error("The sandbox was reset.");

function fits({ operation, status }: Rule, id: OperationId): boolean {
	return operation === undefined
		? status === undefined || codesOf(id).has(status)
		: operation === id;
}

function toRest(rule: Rule): readonly Rule[] {
	const { times } = rule;
	if (times === "always") return [rule];
	return times === 1 ? [] : [{ ...rule, times: times - 1 }];
}

/** In the form of the header. */
function toText(fault: Fault): string {
	return faultMembers
		.filter((name) => fault[name] !== undefined)
		.map((name) => `${name}=${fault[name]}`)
		.join("; ");
}

/** Not thrown, so that the log has no second line for it. */
function toFaultReply(
	{ headers }: Call,
	id: OperationId,
	status: number,
	logged: { fault: string },
): Reply {
	const code = codesOf(id).get(status) ?? "internal";
	const failure = new Failure(code, "A sandbox fault caused this reply.", {
		headers: {
			...(isTransient(code) && { "Retry-After": "1" }),
			...(code === "unauthenticated" && { "WWW-Authenticate": challenge }),
		},
	});
	return { ...toErrorReply(headers, failure), logged: { code, ...logged } };
}

/** The log shows no status. */
function toNoReply({ headers }: Call, logged: { fault: string }): Reply {
	const status = httpStatus.noContent;
	return { status, headers, logged: { status: undefined, ...logged } };
}
