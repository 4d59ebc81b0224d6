// The state of the service: what runs, on which database, with how many animals and requests.
import manifest from "../../package.json" with { type: "json" };
import { withNewest } from "../backups/folder.ts";
import { list, object } from "../domain/object.ts";
import type { PetStatus } from "../domain/pet.ts";
import {
	anyText,
	count,
	decimal,
	oneOf,
	size,
	time,
	whole,
} from "../domain/scalar.ts";
import { optional, withDescription } from "../domain/type.ts";
import { toDueTime } from "../store/backups.ts";
import {
	inTime,
	type OperatorResource,
	type OperatorService,
	operation,
	sumOf,
} from "./operation.ts";

const RequestCount = object(
	"RequestCount",
	"The requests of one minute or hour.",
	{
		at: time("When it began."),
		total: count("The number of requests."),
		failed: count("Those with a status of 500 or above."),
		p99Ms: optional(
			decimal(
				"99 % of the requests were answered within this time, in milliseconds: an estimate. Absent without a request.",
				0,
				10_000,
			),
		),
	},
);

const Status = object(
	"Status",
	"The state of the service and of its database.",
	{
		version: anyText("The version of the program."),
		engine: oneOf("What stores the animals.", ["sqlite", "postgres"]),
		engineVersion: anyText("Its version."),
		schema: whole("The version of the tables."),
		databaseBytes: size("The size of the database."),
		walBytes: optional(size("The size of the WAL. Only with SQLite.")),
		animals: count("The number of animals."),
		animalsByStatus: object("", "The number of animals with each status.", {
			available: count("`available`."),
			pending: count("`pending`."),
			sold: count("`sold`."),
		}),
		backups: optional(
			object("", "The backups of the service. Absent if it makes none.", {
				folder: anyText("Where they are."),
				every: optional(
					count(
						"How often the service makes one, in seconds. 0: only on request. Not in `petstore status`.",
					),
				),
				keep: optional(count("How many it keeps. Not in `petstore status`.")),
				last: optional(
					object(
						"",
						"The newest of this catalogue in the folder. Absent without one, and if the folder does not answer.",
						{
							name: anyText("The name of the file."),
							at: time("When it was begun."),
							bytes: size("Its size."),
							animals: count("Its animals."),
						},
					),
				),
				nextAt: optional(
					time("When the service makes the next one, on any machine."),
				),
				failure: optional(
					anyText(
						"Why the last backup of a service failed. Absent if it succeeded.",
					),
				),
			}),
		),
		requests: optional(
			object(
				"",
				"The requests of operations that the process that answers has counted in memory, oldest first. Pages, health checks and metrics do not count. Not in `petstore status`.",
				{
					lastHour: withDescription(
						list(RequestCount, 60),
						"By minute. The last minute is not over yet.",
					),
					lastDay: withDescription(
						list(RequestCount, 24),
						"By hour. The last hour is not over yet.",
					),
				},
			),
		),
		startedAt: optional(
			time(
				"When the process that answers was started. Not in `petstore status`.",
			),
		),
		uptimeSeconds: optional(
			count("For how long that process has run. Not in `petstore status`."),
		),
		processMemoryBytes: optional(
			size("The resident memory of that process. Not in `petstore status`."),
		),
	},
);

const example = {
	at: "2027-01-31T09:00:00.000Z",
	total: 1204,
	failed: 0,
	p99Ms: 2.4,
};

const readStatus = operation({
	method: "GET",
	path: "/status",
	summary: "Get the status of the service",
	description:
		"`petstore status` reads the database itself, and the folder of backups.",
	reply: Status,
	example: {
		reply: {
			version: "1.0.0",
			engine: "sqlite",
			engineVersion: "3.51.3",
			schema: 1,
			databaseBytes: 4096,
			walBytes: 8272,
			animals: 2,
			animalsByStatus: { available: 1, pending: 1, sold: 0 },
			backups: {
				folder: "data/backups",
				every: 86400,
				keep: 14,
				last: {
					name: "petstore-3f9a01c2-20270131T081500Z-2.db",
					at: "2027-01-31T08:15:00.000Z",
					bytes: 77824,
					animals: 2,
				},
				nextAt: "2027-02-01T08:15:00.000Z",
			},
			requests: { lastHour: [example], lastDay: [example] },
			startedAt: "2027-01-31T08:15:00.000Z",
			uptimeSeconds: 3600,
			processMemoryBytes: 67108864,
		},
	},
	async handle(_, service) {
		const { running } = service;
		const reading = readDatabase(service);
		const found = await (running ? inTime(reading) : reading);
		return {
			version: manifest.version,
			...found,
			requests: running?.readRequests(),
			startedAt: running && performance.timeOrigin,
			uptimeSeconds: running && Math.floor(process.uptime()),
			processMemoryBytes: running && process.memoryUsage.rss(),
		};
	},
});

/** One after the other: a command has one connection. */
async function readDatabase({ store, backups }: OperatorService) {
	const { walBytes, ...description } = await store.describe();
	const counts = await store.catalogue.readCounts();
	const countOf = (status: PetStatus) =>
		sumOf(counts.filter((one) => one.status === status));
	return {
		...description,
		walBytes,
		animals: sumOf(counts),
		animalsByStatus: {
			available: countOf("available"),
			pending: countOf("pending"),
			sold: countOf("sold"),
		},
		backups: await readBackups(store, backups),
	};
}

async function readBackups(
	store: OperatorService["store"],
	{ folder, maker }: OperatorService["backups"],
) {
	const { path } = folder;
	if (path === undefined) return undefined;
	const state = await store.backups.read();
	const found = await folder.list().catch(() => []);
	const { keep, everyMs = 0 } = maker?.options ?? {};
	const { last, ...newest } = withNewest(state, found);
	return {
		folder: path,
		every: maker && everyMs / 1_000,
		keep,
		last: last && { ...last, at: last.createdAt },
		nextAt: everyMs > 0 ? toDueTime(newest, everyMs, Date.now()) : undefined,
		failure: state.failure,
	};
}

export const status: OperatorResource = {
	tag: "status",
	description: "The state of the service.",
	operations: { readStatus },
};
