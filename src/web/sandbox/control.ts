// Calls the control paths of the sandbox.
import type { RecordedRequest } from "../../testing/recorded-request.ts";
import { hasCode, toApiError, toMessage } from "../console/api/error.ts";
import { fetchText, type SendOptions, toBody } from "../console/api/request.ts";
import type { AccessKey } from "./key.ts";

/** The members of a rule, or of a fault. */
export type Rule = Readonly<Record<string, unknown>>;

export function createControl(base: string, key: AccessKey) {
	async function call(
		method: string,
		path: string,
		options: SendOptions = {},
	): Promise<string> {
		const sent = key.current.peek() ?? "";
		const headers = sent === "" ? {} : { Authorization: `Bearer ${sent}` };
		const { ok, status, text } = await fetchText(
			method,
			base + path,
			{ ...options, headers },
			"The sandbox does not answer.",
		);
		if (ok) return text;
		const error = toApiError(
			toBody(text),
			`The sandbox answered with status ${status}.`,
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
		setFaults: (body: readonly Rule[]) => call("PUT", "/faults", { body }),
		countAnimals: async (ending: AbortSignal): Promise<number> =>
			JSON.parse(await call("GET", "/animals", { ending })).animals,
		reset: () => call("POST", "/reset"),
	};
}
