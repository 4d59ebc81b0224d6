// Logs the failures of the service and, if asked, every request.
import { type Failure, isServiceCode, StoreFailure } from "../domain/errors.ts";
import type { FailureLog } from "../log/failures.ts";
import type { Log } from "../log/log.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";
import { RefusedKey } from "./surface.ts";

export function createRequestLog(log: Log, failures: FailureLog) {
	/** No path and no query: clients put keys there by mistake. */
	function toMembers(exchange: Exchange) {
		const { request, requestId, method, match, failure, identity } = exchange;
		return {
			requestId,
			method,
			route: match.known?.pattern,
			code: failure?.code,
			keyId:
				identity?.keyId ??
				(failure instanceof RefusedKey ? failure.keyId : undefined),
			client: exchange.client ?? exchange.source.clientOf(request),
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
			const toDetails = () => ({ ...toMembers(exchange), err });
			// A failure without a cause is an expected one, for example a timeout.
			const level = err === undefined ? "warn" : "error";
			if (failure instanceof StoreFailure)
				failures.reportStore(failure, () => toMembers(exchange));
			else if (code === "internal") log[level](toDetails(), message);
			else if (isServiceCode(code)) failures.report(level, message, toDetails);
		},
	};
}
