// Notices when another program deletes or replaces a database file. SQLite does not: it writes on to a file that no other process can open.
import { basename } from "node:path";
import { storeUnavailable } from "../../../domain/errors.ts";
import { findFile, memory, toNames } from "./file.ts";

/** Throws `unavailable` if the path no longer names the file that was opened. */
export type FileGuard = () => void;

/** Call it when the database is open. */
export function guardFile(path: string): FileGuard {
	if (path === memory) return () => {};
	const opened = findFile(path);
	const { wal, shm } = toNames(path);
	return () => {
		const current = findFile(path);
		if (current?.ino === opened?.ino && current?.dev === opened?.dev) return;
		const what = current === undefined ? "was deleted" : "was replaced";
		throw storeUnavailable(
			new Error(
				`${path} ${what}: put the old file back; or, to use another file, stop the service, delete ${basename(wal)} and ${basename(shm)}, and start it again`,
			),
		);
	};
}
