// What is known of the backups of a database: what it has recorded itself, and the files of its catalogue in the folder of this machine.
import type { BackupState, Backups } from "../store/archive/backups.ts";
import { type Backup, hasCode, listBackups } from "./folder.ts";

export async function readNewest(
	{ read }: Pick<Backups, "read">,
	folder: string | undefined,
): Promise<BackupState> {
	const state = await read();
	const found = await findBackups(folder).catch(() => []);
	const own = `petstore-${state.catalogue}-`;
	const inFolder = found.find(({ name }) => name.startsWith(own))?.createdAt;
	const newestAt = Math.max(state.newestAt ?? 0, inFolder ?? 0);
	return { ...state, newestAt: newestAt === 0 ? undefined : newestAt };
}

/** A folder that does not exist yet has no backups. */
export async function findBackups(
	folder: string | undefined,
): Promise<Backup[]> {
	try {
		return folder === undefined ? [] : await listBackups(folder);
	} catch (error) {
		if (hasCode(error, "ENOENT")) return [];
		throw error;
	}
}
