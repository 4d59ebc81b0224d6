// The names of backups, and of the files that become one.
import { hostname } from "node:os";

/** `petstore-20270131T081500Z.db`, with a number if there are several of one second. */
export function toBackupName(at: Date, number = 0): string {
	const time = at.toISOString().replace(/[-:]|\.\d+/g, "");
	return `petstore-${time}${number === 0 ? "" : `-${number}`}.db`;
}

/** When a backup with this name was begun, in milliseconds since 1970; undefined if it is not named like one. */
export function toBackupTime(name: string): number | undefined {
	const [, year, month, day, hour, minute, second] =
		/^petstore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d{1,3})?\.db$/.exec(
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

/** The file that a backup is written to until it is complete. It names the process, so that what a killed one has left is recognised. */
export function toPartialName(name: string): string {
	return `${name}.${host}.${process.pid}${ending}`;
}

/** The process of this machine that writes the file; undefined if the file is no partial backup, or of another machine. */
export function toWriter(name: string): number | undefined {
	const [, of, pid] = /\.([\w-]+)\.(\d+)\.partial$/.exec(name) ?? [];
	return of === host && pid !== undefined ? Number(pid) : undefined;
}

export function isPartial(name: string): boolean {
	return /\.[\w-]+\.\d+\.partial$/.test(name);
}

const ending = ".partial";
const host = hostname().replace(/[^\w-]/g, "_") || "localhost";
