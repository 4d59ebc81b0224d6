// Keeps a write from being acknowledged that no other process can find: the file at the path must be the one that was opened.
import { storeUnavailable, storeWroteNothing } from "../../contract/errors.ts";
import { findFile, memory, toIdentity, toNames } from "./file-names.ts";

export interface FileGuard {
	/** Throws `unavailable` if the files of the database are not those that were opened. */
	readonly requireSame: (toFailure?: typeof storeUnavailable) => void;
}

/** Call it when the database is open. One in memory needs no guard. */
export function guardFile(path: string): FileGuard {
	if (path === memory) return noGuard;
	const { file, wal } = toNames(path);
	const read = () =>
		`${toIdentity(findFile(file))} ${toIdentity(findFile(wal))}`;
	const opened = read();
	return {
		requireSame(toFailure = storeWroteNothing) {
			if (read() !== opened)
				throw toFailure(new Error(`${path} was deleted or replaced`));
		},
	};
}

const noGuard: FileGuard = { requireSame() {} };

/** Looks at the files before a write, which may run a checkpoint, and after it, so that no lost write is acknowledged, and a failure has its true reason. */
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
