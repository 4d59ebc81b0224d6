// readStatus: the state of the service and of its database, and the requests of the last hour and day.
import { withTimeout } from "../../async/waiting.ts";
import { storeUnavailable } from "../../domain/errors.ts";
import type { PetStatus } from "../../domain/pet.ts";
import { toTimeText } from "../../domain/time.ts";
import type { RequestCount, RequestCounts } from "../../http/request-counts.ts";
import type { Route } from "../../http/surface.ts";
import { operatorAnswerMs } from "../../limits.ts";
import type { Counts, Total } from "../../operator/counts.ts";
import type { BackupState } from "../../store/archive/backups.ts";
import type { Store } from "../../store/store.ts";
import { toJsonReply } from "./replies.ts";

/** What the process that answers knows. */
export interface StatusSources {
	readonly version: string;
	readonly startedAt: Date;
	readonly readBackups: () => Promise<BackupState>;
	readonly readRequests: RequestCounts["recent"];
}

export function readStatus(
	{ count }: Counts,
	{ describe }: Pick<Store, "describe">,
	{ version, startedAt, readBackups, readRequests }: StatusSources,
): Route["handle"] {
	return async () => {
		const [description, animals, backups] = await withTimeout(
			operatorAnswerMs,
			Promise.all([describe(), countByStatus(count), readBackups()]),
			storeUnavailable,
		);
		const { lastHour, lastDay } = readRequests();
		return toJsonReply({
			version,
			...description,
			...animals,
			...toBackupMembers(backups),
			requests: {
				lastHour: lastHour.map(toCountView),
				lastDay: lastDay.map(toCountView),
			},
			startedAt: toTimeText(startedAt.getTime()),
			uptimeSeconds: toAge(startedAt.getTime()),
			processMemoryBytes: process.memoryUsage.rss(),
		});
	};
}

function toCountView({ at, ...counts }: RequestCount) {
	return { at: toTimeText(at), ...counts };
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
