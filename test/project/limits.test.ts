// The relations between the limits. Some limits work only if they are below others.
import { expect, test } from "bun:test";
import { maxChanges } from "../../src/contract/operator/pets/schemas.ts";
import { maxPageSize } from "../../src/contract/schemas.ts";
import { limit } from "../../src/contract/v1/operations.ts";
import { maxNameBytes } from "../../src/domain/pet.ts";
import * as limits from "../../src/limits.ts";
import { toPageBytes } from "../../src/store/feed.ts";
import { batchLimit } from "../../src/web/console/api/pets.ts";
import { consoleTimeoutMs } from "../../src/web/console/api/request.ts";

const second = 1_000;
const minute = 60 * second;
/** The title of the test, a value, and the bound above it. */
const relations: readonly (readonly [string, number, number])[] = [
	[
		"all downloads together take less memory than the large replies may",
		limits.maxDownloads * limits.downloadChunkBytes,
		limits.maxReplyBytes,
	],
	[
		"a backup reads less than a hundredth of the Idempotency-Keys' lifetime again",
		limits.clockStepMs,
		limits.idempotencyLifetimeMs / 100,
	],
	[
		"on SQLite, a wait in the queue and then for a lock is shorter than the promised answer time",
		limits.maxQueueMs + limits.sqliteLockMs,
		limits.answerMs,
	],
	[
		"on SQLite, a wait in the queue, for the writer thread to start and to answer is shorter than the promised answer time",
		limits.maxQueueMs + limits.writerStartMs + limits.sqliteWriterMs,
		limits.answerMs,
	],
	[
		"on SQLite, the writer thread waits less for a lock and a checkpoint than the event loop waits for the thread",
		limits.sqliteLockMs + limits.threadCheckpointWaitMs,
		limits.sqliteWriterMs,
	],
	[
		"verify waits longer for a reply than the promised answer time",
		limits.answerMs,
		limits.verifyTimeoutMs,
	],
	[
		"health waits longer for a reply than the promised answer time",
		limits.answerMs,
		limits.healthMs,
	],
	[
		"PostgreSQL cancels a statement before the client gives up the connection",
		limits.statementMs,
		limits.queryMs,
	],
	[
		"on PostgreSQL, the service gives up a connection before it answers the caller",
		limits.queryMs,
		limits.postgresAnswerMs,
	],
	[
		"on PostgreSQL, connecting times out before the caller is answered",
		limits.connectMs,
		limits.postgresAnswerMs,
	],
	[
		"on PostgreSQL, the lookup of a key and the query together are shorter than the promised answer time",
		limits.keyLookupMs + limits.postgresAnswerMs,
		limits.answerMs,
	],
	[
		"the lookup of a key and a search, a status or a conditional change together are shorter than the promised answer time",
		limits.keyLookupMs + limits.operatorAnswerMs,
		limits.answerMs,
	],
	[
		"a sign-in, with the lookup of its key, is shorter than the promised answer time",
		limits.operatorAnswerMs,
		limits.answerMs,
	],
	[
		"a sign-in reports a slow lookup of its key before it times out itself",
		limits.keyLookupMs,
		limits.operatorAnswerMs,
	],
	[
		"on PostgreSQL, a read of the feed waits for open transactions less than half of its time",
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
		"a page of a stream fits into the memory that a key may use",
		toPageBytes(limits.streamPageBytes),
		limits.maxReplyBytesPerKey,
	],
	[
		"a key can get two pages of the longest names at once",
		2 * (limit.read("100") + 1) * (maxNameBytes + 100),
		limits.maxReplyBytesPerKey,
	],
	[
		"another key can then get two of these pages too",
		limits.maxReplyBytesPerKey + 2 * (limit.read("100") + 1) * maxNameBytes,
		limits.maxReplyBytes,
	],
	[
		"a search and the count of a status end in time for their last slice",
		Math.max(limits.searchMs, limits.countMs),
		limits.operatorAnswerMs,
	],
	[
		"a slice of a search is at most as long as the longest list",
		limits.searchSlice,
		maxPageSize + 1,
	],
	[
		"a slice of a search has room for a hundred names of 100 characters",
		100 * 100,
		limits.maxSliceLength,
	],
	[
		"a name in a batch can be as long as in an add",
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
		"during an outage, a check of the database finishes before the outage counts as ended",
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
		"the timeouts of a slow reader and of its idle connection together are shorter than a minute",
		limits.slowReaderMs + limits.idleMs,
		minute,
	],
	[
		"the adds in the queue and in a batch are fewer than the requests that may wait",
		limits.maxQueued + limits.maxSqliteBatch,
		limits.maxPending,
	],
	[
		"the largest batch of changes can wait behind another one",
		2 * maxChanges,
		limits.maxWaitingChanges,
	],
	[
		"fewer changes than requests may wait",
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
		"lists read more pages at once than the default pool has connections",
		limits.defaultPoolSize,
		limits.maxPageReads,
	],
	[
		"SQLite cuts the WAL to less than its limit",
		limits.idleWalBytes,
		limits.maxWalBytes,
	],
	[
		"a checkpoint is due below the size to which SQLite cuts the WAL",
		limits.walCheckpointPages * 4096,
		limits.idleWalBytes,
	],
	[
		"a read transaction ends while a checkpoint of another process still waits for it",
		limits.snapshotMs,
		limits.checkpointWaitMs,
	],
	[
		"a checkpoint on the event loop waits less than the time that detects slow commits",
		limits.checkpointWaitMs,
		limits.slowCommitMs * limits.slowCommitWindow,
	],
	[
		"the longest delay of the sandbox and the idle timeout together are below Bun's longest idle timeout",
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
		"an escaped path takes less than half of a log line",
		6 * limits.maxLoggedPathLength,
		limits.maxLogLineBytes / 2,
	],
	[
		"two flushes of the usage fit into a minute",
		2 * limits.usageFlushMs,
		minute,
	],
	[
		"on PostgreSQL, the lookup of a key, a flush and the query for usage together are shorter than the promised answer time",
		limits.keyLookupMs + limits.usageFlushWaitMs + limits.postgresAnswerMs,
		limits.answerMs,
	],
	[
		"on SQLite, the lookup of a key, a flush and the sums of usage together are shorter than the promised answer time",
		limits.keyLookupMs + limits.usageFlushWaitMs + limits.usageReadMs,
		limits.answerMs,
	],
	[
		"one flush takes fewer counts than may wait",
		limits.usageFlushCounts,
		limits.maxUnflushedCounts,
	],
	[
		"the last use of a session is recorded more often than an unused session ends",
		limits.keyUseIntervalMs,
		limits.sessionIdleMs,
	],
	[
		"ended sessions and links are deleted more often than unused sessions end",
		limits.cleanUpIntervalMs,
		limits.sessionIdleMs,
	],
	[
		"the console waits longer for a reply than the promised answer time",
		limits.answerMs,
		consoleTimeoutMs,
	],
	[
		"the service accepts the largest batch of the console",
		batchLimit - 1,
		maxChanges,
	],
	[
		"the supervisor gives up on a worker's metrics before the worker that wants all metrics gives up",
		limits.metricsWaitMs,
		limits.allMetricsWaitMs,
	],
	[
		"the lookup of a key and the wait for all metrics together are shorter than the promised answer time",
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
		"an export over HTTP reads at most as many animals at once as the longest list has",
		limits.httpExportRows,
		maxPageSize + 1,
	],
	[
		"an import waits longer to begin than a request waits for a lock",
		limits.sqliteLockMs,
		limits.longLockMs,
	],
	[
		"an add can wait for an attempt to lock the tables",
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
