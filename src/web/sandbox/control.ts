// Calls the control paths of the sandbox.
import type { RecordedRequest } from "../../testing/recorded-request.ts";
import {
	ApiError,
	hasCode,
	toApiError,
	toMessage,
} from "../console/api/error.ts";
import type { AccessKey } from "./key.ts";

/** A request fails after this time. This is for a network that loses packets. */
const controlTimeoutMs = 15_000;

export type Control = ReturnType<typeof createControl>;

/** The members of a rule, or of a fault. */
export type Rule = Readonly<Record<string, unknown>>;

interface CallOptions {
	readonly body?: string;
	readonly ending?: AbortSignal | undefined;
}

export function createControl(base: string, key: AccessKey) {
	async function call(
		method: string,
		path: string,
		{ body, ending }: CallOptions = {},
	): Promise<string> {
		const timeout = AbortSignal.timeout(controlTimeoutMs);
		const sent = key.value.peek() ?? "";
		const response = await fetch(base + path, {
			method,
			headers: sent === "" ? {} : { Authorization: `Bearer ${sent}` },
			...(body !== undefined && { body }),
			cache: "no-store",
			signal: ending ? AbortSignal.any([ending, timeout]) : timeout,
		}).catch(() => undefined);
		const text = await response?.text().catch(() => undefined);
		ending?.throwIfAborted();
		if (response === undefined || text === undefined)
			throw new ApiError("network", "The sandbox does not answer.");
		if (response.ok) return text;
		const error = toApiError(
			toBody(text),
			`The sandbox answered with status ${response.status}.`,
		);
		if (hasCode(error, "unauthenticated", "forbidden"))
			key.refuse(toMessage(error));
		throw error;
	}

	return {
		listRequests: async (
			since: string | undefined,
			ending: AbortSignal,
		): Promise<readonly RecordedRequest[]> => {
			const query = since === undefined ? "" : `?since=${since}`;
			return JSON.parse(await call("GET", `/requests${query}`, { ending }));
		},
		removeRequests: () => call("DELETE", "/requests"),
		listFaults: async (ending?: AbortSignal): Promise<readonly Rule[]> =>
			JSON.parse(await call("GET", "/faults", { ending })),
		setFaults: (rules: readonly Rule[]) =>
			call("PUT", "/faults", { body: JSON.stringify(rules) }),
		countAnimals: async (ending: AbortSignal): Promise<number> =>
			JSON.parse(await call("GET", "/animals", { ending })).animals,
		reset: () => call("POST", "/reset"),
	};
}

/** Undefined if it is not JSON. */
function toBody(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
