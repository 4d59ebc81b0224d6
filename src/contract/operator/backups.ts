// Backups in the operator interface: make, list and download.
import { type Failure, failing, unavailable } from "../../domain/errors.ts";
import { httpStatus, operationsOf, type Part } from "../operation.ts";
import { flag, object, ref, text, time, whole64 } from "../schemas.ts";

export const backupMediaType = "application/vnd.sqlite3";

export const noSuchBackup = failing("not_found", "No backup has this name.");

export const noBackups = failing(
	"conflict",
	"This service makes no backups. Start it with --backups FOLDER, and with a database that is not in memory.",
);

export const backupRunning = failing(
	"conflict",
	"A backup is being made. Wait until it ends.",
);

export function backupFailed(reason: string): Failure {
	return unavailable(`No backup was made: ${reason}`);
}

export function takesLong(): Failure {
	return unavailable(
		"The backup takes longer than a reply may. It continues, and the list of backups has it when it is complete.",
	);
}

const backup = {
	name: "petstore-3f9a01c2-20270131T081500Z.db",
	bytes: 77824,
	createdAt: "2027-01-31T08:15:00.000Z",
};

const operation = operationsOf({
	tag: "backups",
	scope: "operator",
	pathParameters: {
		name: {
			description: "The name of the backup.",
			schema: { type: "string" },
			example: backup.name,
		},
	},
});

export const backups = {
	tags: { backups: "Backups of the catalogue." },
	operations: {
		createBackup: operation({
			method: "POST",
			path: "/backups",
			summary: "Make a backup",
			description:
				"Makes a backup in the folder of `serve --backups`, in a process of its own, and removes older ones as `--backup-keep` says. The reply comes when the backup is complete and checked; a million animals take some seconds. After 50 seconds it is a 503, and the backup continues.",
			success: {
				status: httpStatus.created,
				description: "The backup was made.",
				body: "NewBackup",
				example: { name: backup.name },
			},
			errors: ["conflict"],
		}),
		listBackups: operation({
			path: "/backups",
			summary: "List the backups",
			description:
				"The backups that `petstore backup` has named itself, in the folder of `serve --backups`: newest first, at most 1,000. Without this folder the list is empty, and `hasFolder` is false.",
			success: {
				description: "The backups.",
				body: "Backups",
				example: { backups: [backup], hasFolder: true },
			},
		}),
		downloadBackup: operation({
			path: "/backups/{name}",
			summary: "Download a backup",
			description:
				"The file, as an attachment. It holds the hashes of the keys. A few can be downloaded at the same time, and a caller that reads nothing for 45 seconds is disconnected.",
			success: {
				description: "A SQLite database.",
				otherBodies: {
					[backupMediaType]: { type: "string", format: "binary" },
				},
			},
			errors: ["not_found"],
		}),
	},
	schemas: {
		Backups: object("The backups of the folder.", {
			backups: { type: "array", items: ref("Backup") },
			hasFolder: flag("Whether the service knows a folder of backups."),
		}),
		NewBackup: object("A backup that was made.", {
			name: text("The name of the file."),
		}),
		Backup: object("A file that `petstore backup` has made.", {
			name: text("The name of the file."),
			bytes: whole64("Its size."),
			createdAt: time("When the backup was begun."),
		}),
	},
} satisfies Part;
