// readStatus: the state of the service and of its database.
import { withTimeout } from "../../../async/waiting.ts";
import { storeUnavailable } from "../../../domain/errors.ts";
import type { PetStatus } from "../../../domain/pet.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Route } from "../../../http/surface.ts";
import { operatorAnswerMs } from "../../../limits.ts";
import type { BackupState } from "../../../store/archive/backups.ts";
import type { Store } from "../../../store/store.ts";
import type { Counts, Total } from "../pets/counts.ts";
import { toJsonReply } from "../replies.ts";

export interface ProcessFacts {
	readonly version: string;
	readonly startedAt: Date;
}

export function readStatus(
	{ count }: Counts,
	{ describe }: Pick<Store, "describe">,
	readBackups: () => Promise<BackupState>,
	{ version, startedAt }: ProcessFacts,
): Route["handle"] {
	return async () => {
		const [description, animals, backups] = await withTimeout(
			operatorAnswerMs,
			Promise.all([describe(), countByStatus(count), readBackups()]),
			storeUnavailable,
		);
		return toJsonReply({
			version,
			...description,
			...animals,
			...toBackupMembers(backups),
			startedAt: toTimeText(startedAt.getTime()),
			uptimeSeconds: toAge(startedAt.getTime()),
			processMemoryBytes: process.memoryUsage.rss(),
		});
	};
}

export async function countByStatus(
	count: (filter: { status: PetStatus }) => Promise<Total>,
) {
	const [available, pending, sold] = await Promise.all([
		count({ status: "available" }),
		count({ status: "pending" }),
		count({ status: "sold" }),
	]);
	const all = [available, pending, sold];
	return {
		animals: all.reduce((sum, { pets }) => sum + pets, 0),
		...(!all.every(({ isComplete }) => isComplete) && {
			animalsAreAtLeast: true,
		}),
		animalsByStatus: {
			available: available.pets,
			pending: pending.pets,
			sold: sold.pets,
		},
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

/** In seconds. Clocks of machines may differ. */
function toAge(time: number): number {
	return Math.max(0, Math.floor((Date.now() - time) / 1_000));
}
