// What a running service does at SIGHUP and SIGUSR2: read the TLS certificate again, and restart the workers.
import { toReason } from "../../../domain/errors.ts";
import type { Tls } from "../../../http/server/tls.ts";
import type { Log } from "../../../log/log.ts";
import type { Petstore } from "../../../petstore.ts";
import type { Workers } from "../../../workers/supervisor.ts";
import type { Signals } from "../../terminal/signal.ts";

/** A service in this process, or one of several workers, which can be restarted. */
export type Service = Omit<Petstore, "fetch" | "readMetrics"> &
	Partial<Pick<Workers, "restart">>;

export function reloadAtSignals(
	service: Service,
	{ stopsAtHangUp }: Signals,
	tls: Tls | undefined,
	log: Log,
): void {
	if (!stopsAtHangUp)
		process.on("SIGHUP", () => readTlsAgain(service, tls, log));
	process.on("SIGUSR2", () => restartWorkers(service, log));
}

function readTlsAgain(
	{ renewTls }: Service,
	tls: Tls | undefined,
	log: Log,
): void {
	if (tls === undefined) {
		log.info("SIGHUP is ignored: there is no TLS certificate to read");
		return;
	}
	try {
		const renewed = tls.readAgain();
		log.info("the TLS certificate was read again");
		renewTls(renewed);
	} catch (error) {
		log.error(
			`The old TLS certificate stays in use, because the new one cannot be used: ${toReason(error)}`,
		);
	}
}

function restartWorkers({ restart }: Service, log: Log): void {
	if (restart !== undefined) restart();
	else
		log.info(
			"SIGUSR2 is ignored: it restarts workers, and there are none without --workers",
		);
}
