// The status document of the operator interface: what runs, on which database, with how many animals and requests.
import { type Part, toOperation } from "../operation.ts";
import {
	decimal,
	int64,
	list,
	object,
	onlyTrue,
	text,
	time,
	whole32,
	whole64,
} from "../schemas.ts";

const count = {
	at: "2027-01-31T09:00:00.000Z",
	total: 1204,
	failed: 0,
	p99Ms: 2.4,
};

export const status = {
	tags: { status: "The state of the service." },
	operations: {
		readStatus: toOperation({
			scope: "operator",
			path: "/status",
			tag: "status",
			summary: "Get the status of the service",
			description: "The animals are counted as `countPets` does.",
			success: {
				description: "The status.",
				body: "Status",
				example: {
					version: "0.1.0",
					engine: "sqlite",
					engineVersion: "3.51.3",
					schema: 4,
					databaseBytes: 4096,
					walBytes: 8272,
					animals: 2,
					animalsByStatus: { available: 1, pending: 1, sold: 0 },
					newestBackupAt: "2027-01-31T02:30:00.000Z",
					newestBackupAgeSeconds: 24300,
					requests: { lastHour: [count], lastDay: [count] },
					startedAt: "2027-01-31T08:15:00.000Z",
					uptimeSeconds: 3600,
					processMemoryBytes: 67108864,
				},
			},
		}),
	},
	schemas: {
		Status: object(
			"The state of the service and of its database.",
			{
				version: text("The version of the program."),
				engine: {
					type: "string",
					enum: ["sqlite", "postgres"],
					description: "What stores the animals.",
				},
				engineVersion: text("Its version."),
				schema: whole32("The version of the tables."),
				databaseBytes: whole64("The size of the database."),
				animals: whole64("The number of animals."),
				animalsByStatus: object("The number of animals with each status.", {
					available: int64,
					pending: int64,
					sold: int64,
				}),
				startedAt: time("When the process that answers was started."),
				requests: object(
					"The requests of operations that the process that answers has counted in memory, oldest first. Pages, health checks and metrics do not count.",
					{
						lastHour: {
							...list("RequestCount", 60),
							description: "By minute. The last minute is not over yet.",
						},
						lastDay: {
							...list("RequestCount", 24),
							description: "By hour. The last hour is not over yet.",
						},
					},
				),
				uptimeSeconds: whole64("For how long that process has run."),
				processMemoryBytes: whole64(
					"The resident memory of the process that answers.",
				),
			},
			{
				walBytes: whole64("The size of the WAL. Only with SQLite."),
				animalsAreAtLeast: onlyTrue(
					"Only present if not all animals were counted in time: the catalogue has at least as many as the numbers say.",
				),
				newestBackupAt: time(
					"When the newest backup was begun: by the service on any machine, or in the folder of this machine. Absent without one.",
				),
				newestBackupAgeSeconds: whole64("Its age."),
				backupFailure: text(
					"Why the last backup of the service failed. Absent if it succeeded.",
				),
			},
		),
		RequestCount: object(
			"The requests of one minute or hour.",
			{
				at: time("When it began."),
				total: whole64("The number of requests."),
				failed: whole64("Those with a status of 500 or above."),
			},
			{
				p99Ms: decimal(
					"99 % of the requests were answered within this time, in milliseconds: an estimate, at most 10,000. Absent without a request.",
				),
			},
		),
	},
} satisfies Part;
