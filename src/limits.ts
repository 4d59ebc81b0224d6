// The limits and timeouts that depend on each other, each with its reason. `test/project/limits.test.ts` checks their relations. Every other
// limit is beside what it limits. Names in milliseconds end in `Ms`. Text lengths are in UTF-16 code units.

// Promises. The code does not read `answerMs` and `revocationMs`: the limits below keep them.

/** Every request is answered within this time after its body has arrived, whatever fails. */
export const answerMs = 3_000;
/** A revoked key is refused within this time. */
export const revocationMs = 1_000;
/** How long an Idempotency-Key is kept. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;
/** The last use of a key or a session is recorded at most this often. */
export const keyUseIntervalMs = 60_000;
/** An unused session ends after this time. */
export const sessionIdleMs = 12 * 60 * 60 * 1000;

// HTTP

/** Far above a usual NewPet. */
export const maxBodyBytes = 64 * 1024;
/** Shorter than `idleMs`, so that the client gets a 408 before its connection is closed. */
export const bodyTimeoutMs = 6_000;
/** Bun closes a connection without a reply after this time without a byte. */
export const idleMs = 10_000;
/** Bytes of the longer replies that are being made or sent: four lists of a hundred of the longest names. */
export const maxReplyBytes = 32 * 1024 * 1024;
/** The share of one key, so that the others are answered too. */
export const maxReplyBytesPerKey = 16 * 1024 * 1024;
/** A streamed reply that is not read completely after this time is aborted: with the idle timeout, in less than a minute. */
export const slowReaderMs = 45_000;
/** How long the last replies get when the service stops. */
export const lastReplyMs = 10_000;
/** How long a replaced listener stays open. All idle connections end in it: Bun may notice the idle timeout two seconds late. */
export const connectionsEndMs = 13_000;
/** How much of a path with its query the log shows. */
export const maxLoggedPathLength = 100;

// Operator interface

/** 1,000 changes with names of a thousand bytes. */
export const maxBatchBodyBytes = 1024 * 1024;
/** How long findPets, listChanges and readStatus take after the lookup of the key, and signIn with it: as long as one answer of PostgreSQL. */
export const operatorAnswerMs = 1_900;
/** A search ends after this many animals or this time, and says how far it came. */
export const maxLooked = 10_000;
export const searchMs = 500;
/** Animals that a search reads at once, at most the longest list, and the pause after them, for other requests. */
export const searchSlice = 100;
export const searchPauseMs = 1;
/** The text of the names that a search compares at once: a hundred usual names are far shorter. */
export const maxSliceLength = 64 * 1024;
/** How long readStatus counts animals, and how long it uses a count again. */
export const countMs = 1_000;
export const countCacheMs = 5_000;

// Feed of changes

/** Streams of one key or session, so that no client takes all of them. */
export const maxStreamsOfKey = 32;
export const streamPageLimit = 100;
export const streamPageBytes = 64 * 1024;
/** How often the streams look for something new, together: a change arrives within half a second. */
export const feedPollMs = 200;
/** A stream that has sent nothing for this long sends a comment. Five seconds are promised, and Bun would close the connection after `idleMs`. */
export const streamCommentMs = 4_000;

// Log

/** Linux writes up to this many bytes to a pipe whole or not at all (PIPE_BUF), even when several workers write to it. */
export const maxLogLineBytes = 4_096;
/** How often a database that fails is asked whether it works again. */
export const outageCheckMs = 1_000;
/** It works again if nothing has failed for this long: longer than a client takes from one failure to that of its retry. */
export const outageQuietMs = 5_000;

// Authentication

/** How long a stored key or a session is trusted before the store is asked again. */
export const keyCacheMs = 500;

// Queues in front of the store

/** How long a request may wait for its batch to begin. */
export const maxQueueMs = 1_000;
/**
 * Requests that may wait for a batch. SQLite commits this many within `maxQueueMs` on a disk whose fsync takes 50 ms. With the longest
 * animals, they take 1 GiB of memory. 1,000 keep such a disk busy, but a refusal costs nearly as much as an add: clients that retry
 * without a pause would leave little time for the others.
 */
export const maxQueued = 16_384;
/** Changes of animals that may wait or be in progress: some of the largest requests, or about as many single ones as adds. */
export const maxWaitingChanges = 16_000;
/** SQLite commits one batch per iteration of the event loop, so a batch must take all requests that one iteration brings. */
export const maxSqliteBatch = 1_024;
/** Requests that one iteration of the event loop answers: just below the 1,024 events that Bun takes from the system in one call. */
export const maxRequestsPerIteration = 1_000;
/** Requests that wait for the store in total: more than the adds in queues and batches, so that reads have room. */
export const maxPending = 20_000;
/** Text of all cached first pages: room for one page of the longest names. */
export const maxCachedLength = 8 * 1024 * 1024;

// SQLite

/** How long a start waits for another process. SQLite itself waits then, which stops the event loop. */
export const sqliteStartLockMs = 5_000;
/** How long a request waits for another process's lock, and how often it tries again. */
export const sqliteLockMs = 1_500;
export const sqliteLockRetryMs = 2;
/** How long the event loop waits for the writer thread. */
export const sqliteWriterMs = 1_900;
/** A commit that takes longer is slow. When more than half of the recent commits were slow, commits move to the writer thread. */
export const slowCommitMs = 3;
/** "Recent" is a moving average over about this many commits. */
export const slowCommitWindow = 12;
/** How long many changes wait for the thread to start. Then they run on the event loop. */
export const writerStartMs = 90;
/** Pages in the WAL that make a checkpoint due. */
export const walCheckpointPages = 1_000;
/** How long reads share a read transaction at most. SQLite cannot restart the WAL while one is open. */
export const snapshotMs = 2;
/** How long a checkpoint waits for readers of other processes: on the event loop, which stops, and on the writer thread. */
export const checkpointWaitMs = 5;
export const threadCheckpointWaitMs = 100;
/** Writes are refused above this. More would take too long to checkpoint when the reader ends. */
export const maxWalBytes = 256 * 1024 * 1024;
/** The size to which SQLite truncates the WAL file when it restarts the WAL. */
export const idleWalBytes = 8 * 1024 * 1024;

// PostgreSQL

/** The server cancels a statement after this time, so that it is certain that the statement did nothing. */
export const statementMs = 1_500;
/** How long a new connection may take. */
export const connectMs = 1_500;
/** After this time the connection counts as lost. */
export const queryMs = 1_700;
/** How long a caller waits for one answer of PostgreSQL. */
export const postgresAnswerMs = 1_900;
/** How long the lookup of a key may take, which comes before the request's own query. */
export const keyLookupMs = 1_000;
/** Pages that are read for lists at the same time: more than a usual pool has connections. Waiting for a connection would count as a failure. */
export const maxPageReads = 64;
/** How long a read of the feed waits for open transactions, and how often it looks. Then it returns the changes before them. */
export const horizonWaitMs = 300;
export const horizonPollMs = 5;
/** Requests that wait at the same time share a query, so few connections are enough. */
export const defaultPoolSize = 4;

// Housekeeping

/** How often expired Idempotency-Keys, sessions and links, and old usage, are deleted. */
export const cleanUpIntervalMs = 10 * 60_000;
/** Rows per transaction, so that no request waits long for one: SQLite stops the event loop in it, PostgreSQL does not. */
export const sqliteCleanUpRows = 200;
export const postgresCleanUpRows = 1_000;
/** How far the clock may be set back while a backup is made: Idempotency-Keys that are this much older than it are read again at its end. */
export const clockStepMs = 60_000;
/** After this time without a renewal, another process may make the backup. It is renewed three times as often. */
export const backupLeaseMs = 15_000;
/** How long a backup that has failed is not tried again. */
export const backupRetryMs = 5 * 60_000;
/** The reply to the request for a backup comes within this time: before the usual timeout of a proxy, a minute. */
export const backupAnswerMs = 50_000;
/** Backups that are downloaded at the same time, and how much of one is read at once. */
export const maxDownloads = 4;
export const downloadChunkBytes = 64 * 1024;

// Import and export

/** One line of an imported file: the longest name, even if all its characters beyond ASCII are escaped, which triples them. */
export const maxImportedLineBytes = 256 * 1024;
/** How long an import, a restore or a copy waits until it can begin its transaction. It says so while it waits. */
export const longLockMs = 10 * 60_000;
/** How long it tries to lock the tables of PostgreSQL, while adds wait, and the pause after a try. Below `statementMs`, so that no add is refused. */
export const lockTryMs = 400;
export const lockPauseMs = 600;
/** An export that is read too slowly ends its read transaction at this size of SQLite's WAL: half of the size at which adds are refused. */
export const maxExportWalBytes = 128 * 1024 * 1024;
/** Animals that an export over HTTP reads at once, which stops the event loop: the longest list. */
export const httpExportRows = 100;

/** A file that is imported over HTTP, and how long it may take to arrive. */
export const maxImportBytes = 64 * 1024 * 1024;
export const importBodyMs = 60_000;
/** Lines of such a file: their transaction takes about a second on SQLite. Larger files are for the command. */
export const maxImportLines = 100_000;
/** How long such an import may write. Below `sqliteLockMs` and `statementMs`, so that no other write is refused because it waits for the import. */
export const importWriteMs = 1_400;
/** How much of such a file is read at once, which stops the event loop for about a millisecond. */
export const importPartBytes = 16 * 1024;

// Usage

/** How often counted requests are added to the database. A process that is killed loses at most the counts of this time. */
export const usageFlushMs = 10_000;
/** Counts in one transaction, so that no request waits long for one: each changes up to five rows. */
export const usageFlushCounts = 40;
/** Counts that wait for a database that fails. Above this, those of different minutes are combined. */
export const maxUnflushedCounts = 10_000;
/** How long the sums of SQLite may take in total. */
export const usageReadMs = 1_900;
/** How long a request for usage waits for the counts of its own process. On PostgreSQL it then waits for its key and its query. */
export const usageFlushWaitMs = 80;

// Workers

/** A worker that has not stopped by then is killed. */
export const workerStopMs = 15_000;
/** How long the supervisor waits for the metrics of its workers. Then it uses the last ones that they sent. */
export const metricsWaitMs = 500;
/** How long a worker waits for the metrics of all workers. */
export const allMetricsWaitMs = 1_500;

// Sandbox and commands

/** Clients give up earlier. Bun's idle timeout cannot be longer than 255 seconds. */
export const maxFaultDelayMs = 60_000;
/** How long `petstore verify` waits for a reply. A slow pet store is not a wrong one. */
export const verifyTimeoutMs = 10_000;
/** How long `petstore health` waits: longer than the service takes to say that it is not ready. */
export const healthMs = 4_000;
