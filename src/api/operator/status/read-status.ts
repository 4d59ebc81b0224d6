// readStatus: the state of the service and of its database.
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../../async/waiting.ts";
import { httpStatus } from "../../../contract/operation.ts";
import { storeUnavailable } from "../../../domain/errors.ts";
import { type PetStatus, petStatuses } from "../../../domain/pet.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Route } from "../../../http/surface.ts";
import { countCacheMs, countMs, operatorAnswerMs } from "../../../limits.ts";
import type { BackupState } from "../../../store/archive/backups.ts";
import type { Catalogue } from "../../../store/catalogue.ts";
import type { Store } from "../../../store/store.ts";

/** Animals that are counted at once, by an index, and the pause after that. */
const countSlice = 10_000;
const countPauseMs = 1;

export interface ProcessFacts {
	readonly version: string;
	readonly startedAt: Date;
	readonly workers: number;
}

interface StatusReads {
	readonly describe: Store["describe"];
	readonly readBackups: () => Promise<BackupState>;
}

export function readStatus(
	{ countPets }: Catalogue,
	{ describe, readBackups }: StatusReads,
	{ version, startedAt, workers }: ProcessFacts,
): Route["handle"] {
	const count = createCount(countPets);
	return async ({ headers }) => {
		const [description, animals, backups] = await withTimeout(
			operatorAnswerMs,
			Promise.all([describe(), count(), readBackups()]),
			storeUnavailable,
		);
		const body = JSON.stringify({
			version,
			...description,
			...toCountMembers(animals),
			...toBackupMembers(backups),
			startedAt: toTimeText(startedAt.getTime()),
			uptimeSeconds: toAge(startedAt.getTime()),
			workers,
			processMemoryBytes: process.memoryUsage.rss(),
		});
		return { status: httpStatus.ok, headers, body };
	};
}

/** Callers share a count, and one that is not older than `countCacheMs`. */
function createCount(
	countPets: Catalogue["countPets"],
): () => Promise<AnimalCount> {
	let last: { at: number; counting: Promise<AnimalCount> } | undefined;
	return () => {
		const at = performance.now();
		if (last === undefined || at - last.at > countCacheMs) {
			const counting = countAnimals(countPets, async () => {
				await sleep(countPauseMs);
				return performance.now() < at + countMs;
			});
			last = { at, counting };
			counting.catch(() => {
				last = undefined;
			});
		}
		return last.counting;
	};
}

interface AnimalCount {
	readonly byStatus: Readonly<Record<PetStatus, number>>;
	/** If not, the catalogue has at least as many. */
	readonly isComplete: boolean;
}

/** Calls `pause` after each slice, which says whether to go on. */
export async function countAnimals(
	countPets: Catalogue["countPets"],
	pause: () => Promise<boolean>,
): Promise<AnimalCount> {
	const byStatus = { available: 0, pending: 0, sold: 0 };
	for (const status of petStatuses)
		for (let afterId = 0n; ; ) {
			const range = { status, afterId, limit: countSlice };
			const { count, lastId } = await countPets(range);
			byStatus[status] += count;
			if (lastId === undefined || count < countSlice) break;
			if (!(await pause())) return { byStatus, isComplete: false };
			afterId = lastId;
		}
	return { byStatus, isComplete: true };
}

export function toCountMembers({ byStatus, isComplete }: AnimalCount) {
	const { available, pending, sold } = byStatus;
	return {
		animals: available + pending + sold,
		...(!isComplete && { animalsAreAtLeast: true }),
		animalsByStatus: byStatus,
	};
}

export function toBackupMembers({ newestAt, failure }: BackupState) {
	return {
		...(newestAt !== undefined && {
			newestBackupAt: toTimeText(newestAt),
			newestBackupAgeSeconds: toAge(newestAt),
		}),
		...(failure !== undefined && { backupFailure: failure }),
	};
}

/** In seconds. A clock may be behind another one. */
function toAge(time: number): number {
	return Math.max(0, Math.floor((Date.now() - time) / 1_000));
}
