// The state of the service: what runs, on which database, with how many animals and requests.
import manifest from "../../package.json" with { type: "json" };
import { Status } from "../interface/replies.ts";
import { readMemory } from "../program.ts";
import { sumOf } from "../store/edits/totals.ts";
import { toDueTime } from "../store/files/backups.ts";
import {
	inTime,
	type OperatorResource,
	type OperatorService,
	operation,
} from "./operation.ts";

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
