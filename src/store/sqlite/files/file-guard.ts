// Notices when another program deletes or replaces the files of a database. SQLite does not: it would write to a file that no other
// process can open.
import { basename } from "node:path";
import { storeUnavailable, storeWroteNothing } from "../../../domain/errors.ts";
import { findFile, memory, toNames } from "./file.ts";

/** How often reads check the files. Writes and /readyz check them each time. */
const databaseFileCheckMs = 200;

export interface FileGuard {
	/** Throws `unavailable` if the files were deleted or replaced. */
	readonly requireSame: (toFailure?: typeof storeUnavailable) => void;
	/** Checks only if the last check was `databaseFileCheckMs` ago, or has failed. */
	readonly requireSeenSame: () => void;
}

/** Call it when the database is open. A database in memory needs no guard. */
export function guardFile(path: string): FileGuard {
	if (path === memory) return noGuard;
	const names = [...new Set(Object.values(toNames(path)))];
	const files = names.map((name) => ({ name, opened: findFile(name) }));
	let problem: string | undefined;
	let nextLookAt = 0;

	function requireSame(toFailure = storeWroteNothing): void {
		nextLookAt = performance.now() + databaseFileCheckMs;
		problem = findChange();
		if (problem !== undefined) throw toFailure(new Error(problem));
	}

	function findChange(): string | undefined {
		for (const { name, opened } of files) {
			const current = findFile(name);
			if (current?.ino === opened?.ino && current?.dev === opened?.dev)
				continue;
			const what = current === undefined ? "was deleted" : "was replaced";
			const [file, ...others] = names.map((other) => basename(other));
			return `${name} ${what}: put the old file back; or, to use another ${file}, stop the service, delete ${others.join(" and ")}, and start it again`;
		}
		return undefined;
	}

	return {
		requireSame,
		requireSeenSame() {
			if (problem !== undefined || performance.now() >= nextLookAt)
				requireSame();
		},
	};
}

const noGuard: FileGuard = { requireSame() {}, requireSeenSame() {} };

/** Checks the files before and after a write, so that no lost write is acknowledged and failures have their true reason. */
export async function guarded<Result>(
	{ requireSame }: FileGuard,
	write: () => Promise<Result>,
): Promise<Result> {
	requireSame();
	try {
		return await write();
	} finally {
		requireSame(storeUnavailable);
	}
}
