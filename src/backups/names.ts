// The names of backups and of partial backups.
import { hostname } from "node:os";
import type { Origin } from "../store/archive/archive.ts";

/** `petstore-3f9a01c2-20270131T081500Z.db`: the id of the catalogue and the time, and a number after the first backup of a second. */
export function toBackupName(
	{ catalogue, madeAt }: Origin,
	number = 0,
): string {
	const time = new Date(madeAt).toISOString().replace(/[-:]|\.\d+/g, "");
	return `petstore-${catalogue}-${time}${number === 0 ? "" : `-${number}`}.db`;
}

/** The time in the name of a backup, in milliseconds since 1970; undefined if it is not named like one. Older names have no id. */
export function toBackupTime(name: string): number | undefined {
	const [, year, month, day, hour, minute, second] =
		/^petstore-(?:[0-9a-f]{8}-)?(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d{1,3})?\.db$/.exec(
			name,
		) ?? [];
	const time = Date.parse(
		`${year}-${month}-${day}T${hour}:${minute}:${second}Z`,
	);
	return Number.isNaN(time) ? undefined : time;
}

/** The newest first. */
export function byAge(one: string, other: string): number {
	return (
		(toBackupTime(other) ?? 0) - (toBackupTime(one) ?? 0) ||
		toNumber(other) - toNumber(one)
	);
}

function toNumber(name: string): number {
	return Number(/Z-(\d+)\.db$/.exec(name)?.[1] ?? 0);
}

/** A backup has this name until it is complete. The name has the process, so that files of killed processes are recognised. */
export function toPartialName(): string {
	const random = crypto.randomUUID().slice(0, 8);
	return `petstore-backup.${host}.${process.pid}.${random}.partial`;
}

/** The writer of a partial backup, without a pid if it is on another machine; undefined for other files. */
export function toWriter(
	name: string,
): { readonly pid: number | undefined } | undefined {
	const [, of, pid] =
		/^petstore-backup\.([\w-]+)\.(\d+)\.[0-9a-f]{8}\.partial$/.exec(name) ?? [];
	return of === undefined
		? undefined
		: { pid: of === host ? Number(pid) : undefined };
}

const host = hostname().replace(/[^\w-]/g, "_") || "localhost";
