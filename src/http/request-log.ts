// Logs the failures of the service and, if asked, every request.
import { type Failure, isServiceCode, StoreFailure } from "../domain/errors.ts";
import type { Log } from "../log/log.ts";
import type { Outages } from "../log/outages.ts";
import type { Exchange } from "./exchange.ts";
import { createMask } from "./mask.ts";
import type { Reply } from "./reply.ts";
import { RefusedKey } from "./surface.ts";
import { toTargetText } from "./target.ts";

/** Of failures with the same message, the first is logged. After this interval, one line counts the others. */
const refusalLogMs = 1_000;

export function createRequestLog(
	log: Log,
	apiKey: string | undefined,
	outages: Outages,
) {
	const { maskTarget, maskId } = createMask(apiKey);
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

	function toMembers(exchange: Exchange) {
		const { request, requestId, method, match, failure, identity } = exchange;
		return {
			requestId: requestId && maskId(requestId),
			method,
			route: match.known?.pattern,
			code: failure?.code,
			keyId:
				identity?.keyId ??
				(failure instanceof RefusedKey ? failure.keyId : undefined),
			client: exchange.client ?? exchange.source.clientOf(request),
			path: maskTarget(toTargetText(request.url)),
		};
	}

	return {
		logRequest(
			exchange: Exchange,
			status: number,
			logged: Reply["logged"],
		): void {
			const ms = Math.round(performance.now() - exchange.startedAt);
			log.info({ ...toMembers(exchange), status, ms, ...logged }, "request");
		},
		logFailure(exchange: Exchange, failure: Failure): void {
			const { code, message, cause: err } = failure;
			if (failure instanceof StoreFailure)
				outages.countRequest(failure, () => toMembers(exchange));
			else if (
				code === "internal" ||
				(isServiceCode(code) && isFirst(message))
			) {
				// A failure without a cause is an expected one, for example a timeout.
				const level = err === undefined ? "warn" : "error";
				log[level]({ ...toMembers(exchange), err }, message);
			}
		},
	};
}
