// The relations between the limits: what one of them is worth depends on the others.
import { expect, test } from "bun:test";
import { maxInt64, minInt64 } from "../../src/contract/json.ts";
import { petToJson } from "../../src/contract/pet.ts";
import { limit } from "../../src/contract/v1.ts";
import * as limits from "../../src/limits.ts";

const second = 1_000;
const minute = 60 * second;
/** A value, its name, and what it must stay below. */
const relations: readonly (readonly [string, number, number])[] = [
	[
		"SQLite: the queue and then a lock, against the promised answer",
		limits.maxQueueMs + limits.sqliteLockMs,
		limits.answerMs,
	],
	[
		"SQLite: the queue and then the writer thread, against the promised answer",
		limits.maxQueueMs + limits.sqliteWriterMs,
		limits.answerMs,
	],
	[
		"SQLite: the thread's own wait for a lock, against the event loop's wait for the thread",
		limits.sqliteLockMs + limits.threadCheckpointWaitMs,
		limits.sqliteWriterMs,
	],
	[
		"PostgreSQL: the server cancels a statement before the client gives the connection up",
		limits.statementMs,
		limits.queryMs,
	],
	[
		"PostgreSQL: the connection is given up before the caller is answered",
		limits.queryMs,
		limits.postgresAnswerMs,
	],
	[
		"PostgreSQL: connecting, against the caller's answer",
		limits.connectMs,
		limits.postgresAnswerMs,
	],
	[
		"PostgreSQL: the lookup of a key and then the query, against the promised answer",
		limits.keyLookupMs + limits.postgresAnswerMs,
		limits.answerMs,
	],
	[
		"a cached key, against the promised revocation",
		limits.keyCacheMs,
		limits.revocationMs,
	],
	[
		"a slow body gets its 408 before the connection is closed for being idle",
		limits.bodyTimeoutMs,
		limits.idleMs,
	],
	[
		"a slow reader and the idle timeout of its connection, against a minute",
		limits.slowReaderMs + limits.idleMs,
		minute,
	],
	[
		"the longest animal that a body can bring, against a reply in one piece",
		longestPetLength(),
		limits.maxPlainReplyLength,
	],
	[
		"queued adds and those in a batch, against all requests that may wait",
		limits.maxQueued + limits.maxSqliteBatch,
		limits.maxPending,
	],
	[
		"the requests of one event loop iteration, against a batch of SQLite",
		limits.maxRequestsPerIteration,
		limits.maxSqliteBatch,
	],
	[
		"a page of the longest names, against the cache",
		(limit.read("100") + 1) * (limits.maxBodyBytes + 200),
		limits.maxCachedLength,
	],
	[
		"what SQLite leaves of the WAL, against its limit",
		limits.idleWalBytes,
		limits.maxWalBytes,
	],
	[
		"the WAL at a checkpoint, against what SQLite leaves of it",
		limits.walCheckpointPages * 4096,
		limits.idleWalBytes,
	],
	[
		"a checkpoint on the event loop waits no longer than a slow commit takes to be noticed",
		limits.checkpointWaitMs,
		limits.slowCommitMs * limits.slowCommitWindow,
	],
	[
		"the last replies of a worker, against its end by SIGKILL",
		limits.lastReplyMs,
		limits.workerStopMs,
	],
	[
		"the first delay of a worker, against the longest",
		limits.workerDelayMs,
		limits.maxWorkerDelayMs,
	],
	[
		"the longest delay of a worker, against the time after which it counts as settled",
		limits.maxWorkerDelayMs,
		limits.workerSettledMs,
	],
	[
		"deleting expired Idempotency-Keys, against their lifetime",
		limits.cleanUpIntervalMs,
		limits.idempotencyLifetimeMs,
	],
];

test.each(relations)("%s", (_name, value, bound) => {
	expect(value).toBeLessThan(bound);
});

test("every limit is a positive number", () => {
	for (const [name, value] of Object.entries(limits)) {
		const isPositive = typeof value === "number" && value > 0;
		expect([name, isPositive]).toEqual([name, true]);
	}
});

/** The body of 64 KiB has a name that takes nearly all of it; the reply adds the id and the status. */
function longestPetLength(): number {
	const name = "x".repeat(
		limits.maxBodyBytes - '{"name":"","categoryId":1}'.length,
	);
	const ids = { id: maxInt64, categoryId: minInt64 };
	return petToJson({ ...ids, name, status: "available" }).length;
}
