// Calls the control paths of the sandbox.
import {
	ApiError,
	hasCode,
	toApiError,
	toMessage,
} from "../console/api/error.ts";
import {
	list,
	number,
	object,
	type Reader,
	text,
	time,
	toMembers,
} from "../console/api/values.ts";
import type { AccessKey } from "./key.ts";

/** A request fails after this time, besides the time that it is to wait. This is for a network that loses packets. */
const controlTimeoutMs = 15_000;

export type Control = ReturnType<typeof createControl>;

/** The members of a rule, or of a fault. */
export type Rule = Readonly<Record<string, unknown>>;

export type Recorded = ReturnType<typeof toRecorded>;

/** Which requests, and until when to wait for them. */
export interface Wait {
	readonly since: string;
	readonly count: number;
	readonly ms: number;
}

export function createControl(base: string, key: AccessKey) {
	async function call(
		method: string,
		path: string,
		{ body, ending, ms = 0 }: CallOptions = {},
	): Promise<unknown> {
		const timeout = AbortSignal.timeout(ms + controlTimeoutMs);
		const sent = key.value.peek() ?? "";
		const fail = (cause: unknown): never => {
			ending?.throwIfAborted();
			throw new ApiError("network", "The sandbox does not answer.", { cause });
		};
		const response = await fetch(base + path, {
			method,
			headers: sent === "" ? {} : { Authorization: `Bearer ${sent}` },
			...(body !== undefined && { body: JSON.stringify(body) }),
			cache: "no-store",
			signal: ending ? AbortSignal.any([ending, timeout]) : timeout,
		}).catch(fail);
		const reply = toBody(await response.text().catch(fail));
		if (response.ok) return reply;
		const { status } = response;
		const error = toApiError(
			reply,
			`The sandbox answered with status ${status}.`,
		);
		if (hasCode(error, "unauthenticated", "forbidden"))
			key.refuse(toMessage(error));
		throw error;
	}

	return {
		async listRequests(
			wait: Wait | undefined,
			ending: AbortSignal,
		): Promise<readonly Recorded[]> {
			const query =
				wait === undefined
					? ""
					: `?since=${wait.since}&count=${wait.count}&wait=${wait.ms}`;
			const ms = wait?.ms ?? 0;
			const reply = await call("GET", `/requests${query}`, { ending, ms });
			return list(toRecorded)(reply, "requests");
		},
		removeRequests: () => call("DELETE", "/requests"),
		listFaults: async (ending?: AbortSignal): Promise<readonly Rule[]> =>
			list(toMembers)(await call("GET", "/faults", { ending }), "faults"),
		setFaults: (body: readonly Rule[]) => call("PUT", "/faults", { body }),
		countAnimals: async (ending: AbortSignal): Promise<number> =>
			toCount(await call("GET", "/animals", { ending })).animals,
		reset: () => call("POST", "/reset"),
	};
}

interface CallOptions {
	readonly body?: unknown;
	readonly ending?: AbortSignal | undefined;
	/** How long the sandbox may wait before it answers. */
	readonly ms?: number;
}

/** Undefined if it is not JSON, or empty. */
function toBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const toCount = object({ animals: number });

const toRecorded = object({
	method: text,
	path: text,
	headers: toMembers,
	body: text,
	status: nullable(number),
	unsentStatus: nullable(number),
	at: time,
	durationMs: number,
	requestId: nullable(text),
	operation: nullable(text),
	fault: nullable(toMembers),
	key: nullable(text),
});

function nullable<Value>(read: Reader<Value>): Reader<Value | null> {
	return (value, name) => (value === null ? null : read(value, name));
}
