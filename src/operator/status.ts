// The state of the service: what runs, on which database, with how many animals and requests.
import manifest from "../../package.json" with { type: "json" };
import { list, object } from "../domain/types/object.ts";
import {
	anyText,
	count,
	decimal,
	oneOf,
	size,
	time,
	whole,
} from "../domain/types/scalar.ts";
import {
	type JsonOf,
	optional,
	withDescription,
} from "../domain/types/type.ts";
import { readMemory } from "../program.ts";
import { sumOf } from "../store/edits/totals.ts";
import { toDueTime } from "../store/files/backups.ts";
import { name } from "./backups.ts";
import {
	inTime,
	type OperatorResource,
	type OperatorService,
	operation,
} from "./operation.ts";

const RequestCount = object("RequestCount", "Of one minute or hour.", {
	at: time("When it began."),
	total: count("The number of requests."),
	failed: count("Those with a status of 500 or above."),
	p99Ms: optional(
		decimal("99 % were answered within this time: an estimate.", 0, 10_000),
	),
});

const Backups = object("", "The backups. Absent if the service makes none.", {
	folder: anyText("Where they are.", "data/backups"),
	every: optional(count("Seconds from one to the next. 0: only on request.")),
	keep: optional(count("How many are kept.")),
	last: optional(
		object("", "The newest of this catalogue, if the folder answers.", {
			name,
			at: time("When it was begun."),
			bytes: size("Its size."),
			animals: count("Its animals."),
		}),
	),
	nextAt: optional(time("When the next one is due, on any machine.")),
	failure: optional(anyText("Why the last one failed.", "The disk is full.")),
});

const Requests = object("", "Of operations only, oldest first.", {
	lastHour: withDescription(list(RequestCount, 60), "By minute."),
	lastDay: withDescription(list(RequestCount, 24), "By hour."),
});

const Status = object("Status", "The state of the service.", {
	version: anyText("The version of the program.", "1.0.0"),
	engine: oneOf("What stores the animals.", ["sqlite", "postgres"]),
	engineVersion: anyText("Its version.", "3.51.3"),
	schema: whole("The version of the tables."),
	databaseBytes: size("The size of the database."),
	walBytes: optional(size("The size of the WAL. Only with SQLite.")),
	animals: count("The number of animals."),
	animalsByStatus: object("", "The number of animals with each status.", {
		available: count(""),
		pending: count(""),
		sold: count(""),
	}),
	writeFailure: optional(
		object("", "Absent if the last write of the process succeeded.", {
			since: time("When the first of the writes failed that all failed."),
			reason: anyText("Why the last one failed.", "database or disk is full"),
		}),
	),
	backups: optional(Backups),
	requests: optional(Requests),
	startedAt: optional(time("When the process was started.")),
	uptimeSeconds: optional(count("For how long it has run.")),
	processMemoryBytes: optional(size("Its resident memory.")),
});
export type StatusJson = JsonOf<typeof Status>;

const readStatus = operation({
	method: "GET",
	path: "/status",
	summary: "Get the status of the service",
	description:
		"`petstore status` reads the database and the folder of backups itself. It does not have what only the process that answers knows: `writeFailure`, `requests`, which it counts in memory, `startedAt`, `uptimeSeconds`, `processMemoryBytes`, and of the backups `every` and `keep`.",
	reply: Status,
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
			processMemoryBytes: running && readMemory(),
		};
	},
});

/** One after the other: a command has one connection. */
async function readDatabase({ store, backups }: OperatorService) {
	const { walBytes, ...description } = await store.describe();
	const totals = await store.catalogue.readTotals();
	return {
		...description,
		walBytes,
		animals: sumOf(totals),
		animalsByStatus: totals,
		writeFailure: store.findWriteFailure(),
		backups: await readBackups(store, backups),
	};
}

async function readBackups(
	store: OperatorService["store"],
	{ folder, maker }: OperatorService["backups"],
) {
	const { path } = folder;
	if (path === undefined) return undefined;
	const state = await folder.withNewest(await store.backups.read());
	const { keep, everyMs = 0 } = maker?.options ?? {};
	return {
		folder: path,
		every: maker && everyMs / 1_000,
		keep,
		last: state.last && { ...state.last, at: state.last.createdAt },
		nextAt: everyMs > 0 ? toDueTime(state, everyMs, Date.now()) : undefined,
		failure: state.failure,
	};
}

export const status: OperatorResource = {
	tag: "status",
	description: "The state of the service.",
	operations: { readStatus },
};
