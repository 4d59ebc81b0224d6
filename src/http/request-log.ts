// What the log has of requests: the failures of the service and, if wanted, a line for each request.
import {
	type ErrorCode,
	type Failure,
	isServiceCode,
	StoreFailure,
} from "../domain/errors.ts";
import type { Log } from "../log/log.ts";
import type { Outages } from "../log/outages.ts";
import type { Mask } from "./mask.ts";
import type { Reply } from "./reply.ts";
import type { Identity } from "./surface.ts";

/** Of the requests that are refused for one reason, the log gets the first and, after this interval, the number of the others. */
const refusalLogMs = 1_000;

export interface LoggedRequest {
	readonly requestId: string | undefined;
	readonly method: string;
	readonly route: string | undefined;
	/** Path and query, as they were sent. */
	readonly target: string;
	/** Of an error reply. */
	readonly code: ErrorCode | undefined;
	/** Also of a key that was refused because it is revoked or expired. */
	readonly keyId: Identity["keyId"];
	/** The address at the other end of the connection. */
	readonly client: string | undefined;
	readonly startedAt: number;
}

export interface RequestLog {
	readonly logRequest: (request: LoggedRequest, reply: Reply) => void;
	readonly logFailure: (request: LoggedRequest, failure: Failure) => void;
	/**
	 * Counts a failure, and returns whether it gets a log line of its own. Of those with the same message only the first gets one; after an
	 * interval, one more line has the number of the others. Of the failures of the store, the first of an outage gets one.
	 */
	readonly countFailure: (failure: Failure) => boolean;
}

export function createRequestLog(
	log: Log,
	{ maskTarget, maskId }: Mask,
	outages: Outages,
): RequestLog {
	/** How often each message came in the current interval, apart from the first time. */
	const repeated = new Map<string, number>();

	function isFirst(message: string): boolean {
		const count = repeated.get(message);
		repeated.set(message, (count ?? -1) + 1);
		if (count === undefined)
			setTimeout(endInterval, refusalLogMs, message).unref();
		return count === undefined;
	}

	function endInterval(message: string): void {
		const refused = repeated.get(message);
		if (refused !== 0) log.warn({ refused }, message);
		repeated.delete(message);
	}

	/** Whatever a client puts into a path or an id, for example a key, is masked. */
	function toMembers({ startedAt, target, ...request }: LoggedRequest) {
		const { requestId } = request;
		return {
			...request,
			requestId: requestId && maskId(requestId),
			path: maskTarget(target),
		};
	}

	return {
		logRequest(request, { status, logged }) {
			const ms = Math.round(performance.now() - request.startedAt);
			log.info({ ...toMembers(request), status, ms, ...logged }, "request");
		},
		logFailure(request, failure) {
			if (failure instanceof StoreFailure)
				return outages.logBegin(failure, toMembers(request));
			const { cause: err, message } = failure;
			// A failure without a cause was expected, such as the end of a drain or a timeout.
			const level = err === undefined ? "warn" : "error";
			log[level]({ ...toMembers(request), err }, message);
		},
		countFailure(failure) {
			if (failure instanceof StoreFailure) return outages.countRequest(failure);
			const { code, message } = failure;
			return code === "internal" || (isServiceCode(code) && isFirst(message));
		},
	};
}
