// The backups in the operator interface: which there are, and their files.
import { Failure, overloaded, toErrorBody } from "../errors.ts";
import { anyRead } from "../examples.ts";
import { httpStatus } from "../operation.ts";
import { int64 } from "../schemas.ts";
import { anyErrors, forbidden } from "./any-operation.ts";
import type { Part } from "./part.ts";

export const backupMediaType = "application/vnd.sqlite3";

export function noSuchBackup(): Failure {
	return new Failure("not_found", "There is no backup with this name.");
}

const common = {
	method: "GET",
	scope: "operator",
	tag: "backups",
	query: [],
} as const;

const backup = {
	name: "petstore-3f9a01c2-20270131T081500Z.db",
	bytes: 77824,
	createdAt: "2027-01-31T08:15:00.000Z",
};

/** Without the failure of the store itself, which is not asked. */
const { storeUnavailable: _, ...unavailable } = anyRead.unavailable;
const { internal: failure, ...refusals } = anyRead;

export const backups: Part<"listBackups" | "downloadBackup"> = {
	tags: { backups: "Backups of the catalogue." },
	operations: {
		listBackups: {
			...common,
			path: "/backups",
			summary: "List the backups",
			description:
				"Those that `petstore backup` has named itself, in the folder of `serve --backups`, the newest first, at most 1,000. Without such a folder the list is empty, and `hasFolder` is false.",
			success: {
				status: httpStatus.ok,
				description: "The backups.",
				body: "Backups",
				headers: [],
			},
			errors: anyErrors,
			furtherErrors: [],
		},
		downloadBackup: {
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
				status: httpStatus.ok,
				description: "A SQLite database.",
				otherBodies: {
					[backupMediaType]: { type: "string", format: "binary" },
				},
				headers: [],
			},
			errors: ["not_found", ...anyErrors],
			furtherErrors: [],
		},
	},
	schemas: {
		Backups: {
			type: "object",
			description: "The backups of the folder.",
			required: ["backups", "hasFolder"],
			properties: {
				backups: {
					type: "array",
					items: { $ref: "#/components/schemas/Backup" },
				},
				hasFolder: {
					type: "boolean",
					description: "Whether the service knows a folder of backups.",
				},
			},
		},
		Backup: {
			type: "object",
			description: "A file that `petstore backup` has made.",
			required: ["name", "bytes", "createdAt"],
			properties: {
				name: { type: "string", description: "The name of the file." },
				bytes: { ...int64, description: "Its size." },
				createdAt: {
					type: "string",
					format: "date-time",
					description: "When the backup was begun.",
				},
			},
		},
	},
	examples: {
		listBackups: {
			success: {
				oneBackup: { backups: [backup], hasFolder: true },
				noFolder: { backups: [], hasFolder: false },
			},
			errors: { ...refusals, internal: failure, forbidden, unavailable },
		},
		downloadBackup: {
			success: {},
			errors: {
				...refusals,
				...{ internal: failure, forbidden },
				not_found: { noBackup: toErrorBody(noSuchBackup()) },
				unavailable: {
					...unavailable,
					tooManyDownloads: toErrorBody(overloaded),
				},
			},
		},
	},
};
