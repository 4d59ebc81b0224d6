// The backups in the operator interface: their list, and their files.
import { Failure, overloaded } from "../../domain/errors.ts";
import { keyNotLookedUp, refusal } from "../examples.ts";
import { type Part, toOperation } from "../operation.ts";
import { flag, object, ref, text, time, whole64 } from "../schemas.ts";

export const backupMediaType = "application/vnd.sqlite3";

export function noSuchBackup(): Failure {
	return new Failure("not_found", "No backup has this name.");
}

const backup = {
	name: "petstore-3f9a01c2-20270131T081500Z.db",
	bytes: 77824,
	createdAt: "2027-01-31T08:15:00.000Z",
};

const common = { method: "GET", scope: "operator", tag: "backups" } as const;

export const backups: Part<"listBackups" | "downloadBackup"> = {
	tags: { backups: "Backups of the catalogue." },
	operations: {
		listBackups: toOperation({
			...common,
			path: "/backups",
			summary: "List the backups",
			description:
				"The backups that `petstore backup` has named itself, in the folder of `serve --backups`: newest first, at most 1,000. Without this folder the list is empty, and `hasFolder` is false.",
			success: {
				description: "The backups.",
				body: "Backups",
				examples: {
					oneBackup: { backups: [backup], hasFolder: true },
					noFolder: { backups: [], hasFolder: false },
				},
			},
			// The store itself is not asked.
			errors: { keyNotLookedUp },
		}),
		downloadBackup: toOperation({
			...common,
			path: "/backups/{name}",
			pathParameters: {
				name: {
					description: "The name of the backup.",
					schema: { type: "string" },
					example: backup.name,
				},
			},
			summary: "Download a backup",
			description:
				"The file, as an attachment. It holds the hashes of the keys. A few can be downloaded at the same time, and a caller that reads nothing for 45 seconds is disconnected.",
			success: {
				description: "A SQLite database.",
				otherBodies: {
					[backupMediaType]: { type: "string", format: "binary" },
				},
			},
			errors: {
				noBackup: refusal(noSuchBackup()),
				tooManyDownloads: refusal(overloaded),
			},
		}),
	},
	schemas: {
		Backups: object("The backups of the folder.", {
			backups: { type: "array", items: ref("Backup") },
			hasFolder: flag("Whether the service knows a folder of backups."),
		}),
		Backup: object("A file that `petstore backup` has made.", {
			name: text("The name of the file."),
			bytes: whole64("Its size."),
			createdAt: time("When the backup was begun."),
		}),
	},
};
