// listBackups and downloadBackup: the files in the folder of the backups.
import {
	type Backup,
	hasCode,
	listBackups,
	toUnreadable,
} from "../../../backups/folder.ts";
import { httpStatus } from "../../../contract/operation.ts";
import {
	backupMediaType,
	type backups,
	noSuchBackup,
} from "../../../contract/operator/backups.ts";
import { unavailable } from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import type { Route } from "../../../http/surface.ts";
import { notStored } from "../headers.ts";
import { createDownloads } from "./download.ts";

export function createBackupHandlers(
	folder: string | undefined,
): Readonly<Record<keyof typeof backups.operations, Route["handle"]>> {
	const open = createDownloads();
	return {
		async listBackups({ headers }) {
			const found = folder === undefined ? [] : await list(folder);
			const body = JSON.stringify({
				backups: found.map(toView),
				hasFolder: folder !== undefined,
			});
			return { status: httpStatus.ok, headers, body };
		},

		async downloadBackup({ request, segment, headers }) {
			const found = folder === undefined ? [] : await list(folder);
			const backup = found.find(({ name }) => name === segment);
			if (folder === undefined || backup === undefined) throw noSuchBackup();
			const { name, bytes } = backup;
			const isHead = request.method === "HEAD";
			return {
				status: httpStatus.ok,
				headers,
				own: {
					...notStored,
					"Content-Disposition": `attachment; filename="${name}"`,
					...(isHead && { "Content-Length": String(bytes) }),
				},
				mediaType: backupMediaType,
				// Nothing reads the body of a HEAD.
				body: isHead ? new ReadableStream() : await open(folder, name),
			};
		},
	};
}

/** A folder that is not there yet has no backups. */
async function list(folder: string): Promise<Backup[]> {
	try {
		return await listBackups(folder);
	} catch (error) {
		if (hasCode(error, "ENOENT")) return [];
		throw unavailable(toUnreadable(folder, error));
	}
}

function toView({ name, bytes, createdAt }: Backup) {
	return { name, bytes, createdAt: toTimeText(createdAt) };
}
