// The backups in the folder of the service, as the operator interface lists them.
import type { Api } from "./api.ts";
import { toList, toMembers, toNumber, toText, toTime } from "./values.ts";

export interface Backup {
	readonly name: string;
	readonly bytes: number;
	readonly createdAt: number;
}

export interface Backups {
	/** Whether the service was told where backups are. */
	readonly hasFolder: boolean;
	/** The newest first. */
	readonly backups: readonly Backup[];
}

export async function readBackups(
	{ send }: Api,
	ending?: AbortSignal,
): Promise<Backups> {
	// Not repeated by itself: a folder that cannot be read is no failure of the whole service.
	const { body } = await send("GET", "/backups", { ending });
	const { backups, hasFolder } = toMembers(body);
	return {
		hasFolder: hasFolder === true,
		backups: toList(backups, "backups", toBackup),
	};
}

export function toBackupPath({ name }: Backup): string {
	return `/backups/${encodeURIComponent(name)}`;
}

function toBackup(value: unknown): Backup {
	const { name, bytes, createdAt } = toMembers(value);
	return {
		name: toText(name, "name"),
		bytes: toNumber(bytes, "bytes"),
		createdAt: toTime(createdAt, "createdAt"),
	};
}
