// The relations between the limits: some of them work only if they are below others.
import { expect, test } from "bun:test";
import { maxChanges } from "../../src/contract/operator/pets/schemas.ts";
import { maxPageSize } from "../../src/contract/schemas.ts";
import { limit } from "../../src/contract/v1/operations.ts";
import { maxNameBytes } from "../../src/domain/pet.ts";
import * as limits from "../../src/limits.ts";
import { toPageBytes } from "../../src/store/feed.ts";
import { consoleTimeoutMs } from "../../src/web/console/api/api.ts";
import { batchLimit } from "../../src/web/console/api/pets.ts";

const second = 1_000;
const minute = 60 * second;
/** The title of the test, a value, and the bound that the value must stay below. */
const relations: readonly (readonly [string, number, number])[] = [
	[
		"the downloads that run at the same time take less memory than one large reply",
		limits.maxDownloads * limits.downloadChunkBytes,
		limits.maxReplyBytes,
	],
	[
		"a backup reads Idempotency-Keys again for a much shorter time than they are kept",
		limits.clockStepMs,
		limits.idempotencyLifetimeMs / 100,
	],
	[
		"on SQLite, a wait in the queue and then for a lock is shorter than the promised answer time",
		limits.maxQueueMs + limits.sqliteLockMs,
		limits.answerMs,
	],
	[
		"on SQLite, a wait in the queue, for the start of the writer thread and then for its answer is shorter than the promised answer time",
		limits.maxQueueMs + limits.writerStartMs + limits.sqliteWriterMs,
		limits.answerMs,
	],
	[
		"on SQLite, the writer thread waits for a lock and a checkpoint for a shorter time than the event loop waits for the thread",
		limits.sqliteLockMs + limits.threadCheckpointWaitMs,
		limits.sqliteWriterMs,
	],
	[
		"verify waits for a reply for longer than the promised answer time",
		limits.answerMs,
		limits.verifyTimeoutMs,
	],
	[
		"health waits for a reply for longer than the promised answer time",
		limits.answerMs,
		limits.healthMs,
	],
	[
		"PostgreSQL cancels a statement before the client gives up the connection",
		limits.statementMs,
		limits.queryMs,
	],
	[
		"on PostgreSQL, the connection is given up before the caller is answered",
		limits.queryMs,
		limits.postgresAnswerMs,
	],
	[
		"on PostgreSQL, connecting times out before the caller is answered",
		limits.connectMs,
		limits.postgresAnswerMs,
	],
	[
		"on PostgreSQL, the lookup of a key and then the query are shorter than the promised answer time",
		limits.keyLookupMs + limits.postgresAnswerMs,
		limits.answerMs,
	],
	[
		"the lookup of a key and then a search, a status or a change with a condition are shorter than the promised answer time",
		limits.keyLookupMs + limits.operatorAnswerMs,
		limits.answerMs,
	],
	[
		"signing in, with the lookup of the key in it, is shorter than the promised answer time",
		limits.operatorAnswerMs,
		limits.answerMs,
	],
	[
		"when the key is not found in time, signing in says so before it times out itself",
		limits.keyLookupMs,
		limits.operatorAnswerMs,
	],
	[
		"a read of the feed on PostgreSQL waits for open transactions for a part of the time that it has",
		limits.horizonWaitMs,
		limits.postgresAnswerMs / 2,
	],
	[
		"a stream sends a comment within the promised 5 seconds",
		limits.streamCommentMs + 2 * limits.feedPollMs,
		5 * second,
	],
	[
		"a stream sends a comment before Bun closes its connection",
		limits.streamCommentMs + 2 * limits.feedPollMs,
		limits.idleMs,
	],
	[
		"a change arrives in a stream within about half a second",
		2 * limits.feedPollMs,
		0.5 * second,
	],
	[
		"a stream ends in time after its key was revoked",
		limits.keyCacheMs + limits.feedPollMs,
		limits.revocationMs,
	],
	[
		"a stream can get a page while a key has almost as much as it may",
		toPageBytes(limits.streamPageBytes),
		limits.maxReplyBytesPerKey,
	],
	[
		"a key can have a page of the longest names while it has another",
		2 * (limit.read("100") + 1) * (maxNameBytes + 100),
		limits.maxReplyBytesPerKey,
	],
	[
		"another key can have two of them too",
		limits.maxReplyBytesPerKey + 2 * (limit.read("100") + 1) * maxNameBytes,
		limits.maxReplyBytes,
	],
	[
		"a search, or the count of a status, ends in time for its last slice",
		Math.max(limits.searchMs, limits.countMs),
		limits.operatorAnswerMs,
	],
	[
		"a slice of a search is not longer than the longest list",
		limits.searchSlice,
		maxPageSize + 1,
	],
	[
		"a slice of a search has room for a hundred names of 100 characters",
		100 * 100,
		limits.maxSliceLength,
	],
	[
		"a name in a batch is not longer than in the body of an add",
		maxNameBytes,
		limits.maxBodyBytes + 1,
	],
	[
		"the longest name fits into the body of a batch",
		maxNameBytes,
		limits.maxBatchBodyBytes,
	],
	[
		"a client that retries a failed request after a second fails again before the outage counts as ended",
		second + limits.answerMs,
		limits.outageQuietMs,
	],
	[
		"during an outage, the database is asked again and has answered or not before the outage counts as ended",
		limits.outageCheckMs + limits.postgresAnswerMs,
		limits.outageQuietMs,
	],
	[
		"a key is cached for a shorter time than a revocation may take",
		limits.keyCacheMs,
		limits.revocationMs,
	],
	[
		"a slow body gets its 408 before the connection is closed for being idle",
		limits.bodyTimeoutMs,
		limits.idleMs,
	],
	[
		"the timeout of a slow reader and the idle timeout of its connection are shorter than a minute",
		limits.slowReaderMs + limits.idleMs,
		minute,
	],
	[
		"the adds in the queue and in a batch are fewer than all requests that may wait",
		limits.maxQueued + limits.maxSqliteBatch,
		limits.maxPending,
	],
	[
		"the largest batch of changes may wait behind another one",
		2 * maxChanges,
		limits.maxWaitingChanges,
	],
	[
		"changes that wait are fewer than all requests that may wait",
		limits.maxWaitingChanges,
		limits.maxPending,
	],
	[
		"the requests of one event loop iteration fit into a batch of SQLite",
		limits.maxRequestsPerIteration,
		limits.maxSqliteBatch,
	],
	[
		"a page of the longest names fits into the cache",
		(limit.read("100") + 1) * (limits.maxBodyBytes + 200),
		limits.maxCachedLength,
	],
	[
		"more pages than the default pool has connections are read at the same time",
		limits.defaultPoolSize,
		limits.maxPageReads,
	],
	[
		"the size to which SQLite cuts the WAL is below the limit of the WAL",
		limits.idleWalBytes,
		limits.maxWalBytes,
	],
	[
		"the size of the WAL at which a checkpoint is due is below the size to which SQLite cuts it",
		limits.walCheckpointPages * 4096,
		limits.idleWalBytes,
	],
	[
		"a read transaction ends before a checkpoint of another process has waited for it",
		limits.snapshotMs,
		limits.checkpointWaitMs,
	],
	[
		"a checkpoint on the event loop waits for a shorter time than it takes to notice slow commits",
		limits.checkpointWaitMs,
		limits.slowCommitMs * limits.slowCommitWindow,
	],
	[
		"the longest delay of the sandbox and the idle timeout are shorter than the longest idle timeout of Bun",
		limits.maxFaultDelayMs + limits.idleMs,
		255 * second,
	],
	[
		"idle connections, which Bun may close two seconds late, end before a replaced listener closes",
		limits.idleMs + 2 * second,
		limits.connectionsEndMs,
	],
	[
		"a worker finishes its last replies before it is killed",
		limits.lastReplyMs,
		limits.workerStopMs,
	],
	[
		"the path in a log line, with every character escaped, leaves most of the line to other members",
		6 * limits.maxLoggedPathLength,
		limits.maxLogLineBytes / 2,
	],
	[
		"several flushes of the usage fit into the minute that their counts belong to",
		2 * limits.usageFlushMs,
		minute,
	],
	[
		"on PostgreSQL, the lookup of a key, the wait for a flush and the query for usage are shorter than the promised answer time",
		limits.keyLookupMs + limits.usageFlushWaitMs + limits.postgresAnswerMs,
		limits.answerMs,
	],
	[
		"on SQLite, the lookup of a key, the wait for a flush and the sums of usage are shorter than the promised answer time",
		limits.keyLookupMs + limits.usageFlushWaitMs + limits.usageReadMs,
		limits.answerMs,
	],
	[
		"the counts of one flush are fewer than those that may wait",
		limits.usageFlushCounts,
		limits.maxUnflushedCounts,
	],
	[
		"the last use of a session is recorded more often than an unused one ends",
		limits.keyUseIntervalMs,
		limits.sessionIdleMs,
	],
	[
		"sessions and links that have ended are deleted more often than sessions end",
		limits.cleanUpIntervalMs,
		limits.sessionIdleMs,
	],
	[
		"the console waits for a reply for longer than the promised answer time",
		limits.answerMs,
		consoleTimeoutMs,
	],
	[
		"a batch of the console is not too long for the service",
		batchLimit - 1,
		maxChanges,
	],
	[
		"the supervisor has given up on the metrics of a worker before the worker that asks for all gives up",
		limits.metricsWaitMs,
		limits.allMetricsWaitMs,
	],
	[
		"the lookup of a key and the wait for the metrics of all workers are shorter than the promised answer time",
		limits.keyLookupMs + limits.allMetricsWaitMs,
		limits.answerMs,
	],
	[
		"the longest line of an export can be imported",
		maxNameBytes + 200,
		limits.maxImportedLineBytes,
	],
	[
		"an export that is read too slowly ends before SQLite's WAL is full",
		limits.maxExportWalBytes,
		limits.maxWalBytes,
	],
	[
		"the animals that an export over HTTP reads at once are not more than the longest list has",
		limits.httpExportRows,
		maxPageSize + 1,
	],
	[
		"an import waits longer to begin than a request does",
		limits.sqliteLockMs,
		limits.longLockMs,
	],
	[
		"an add waits for a try to lock the tables, and is done then",
		limits.lockTryMs,
		limits.statementMs,
	],
	[
		"expired Idempotency-Keys are deleted more often than they expire",
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
