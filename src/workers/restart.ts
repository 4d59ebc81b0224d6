// Replaces all workers one after the other, for new code or a renewed certificate.
import type { Log } from "../log/log.ts";
import type { SupervisedWorker } from "./supervised-worker.ts";

/** A call during a restart makes another restart follow, since some workers have been replaced before the call. */
export function createRestart(
	workers: readonly Pick<SupervisedWorker, "replace">[],
	stopping: AbortSignal,
	log: Log,
): () => void {
	let isRestarting = false;
	let isRequested = false;

	async function restartWhileRequested(): Promise<void> {
		isRestarting = true;
		while (isRequested && !stopping.aborted) {
			isRequested = false;
			log.info("restarting the workers");
			if (await replaceAll()) log.info("the workers were restarted");
		}
		isRestarting = false;
	}

	/** Stops at the first worker that cannot be replaced: what has kept it from starting would do so with the others. */
	async function replaceAll(): Promise<boolean> {
		for (const [index, { replace }] of workers.entries()) {
			if (await replace()) continue;
			if (!stopping.aborted)
				log.error(
					{ worker: index + 1 },
					"the new process of a worker cannot start: this worker and those after it were not restarted",
				);
			return false;
		}
		return true;
	}

	return () => {
		isRequested = true;
		if (!isRestarting) void restartWhileRequested();
	};
}
