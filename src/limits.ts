// Every limit and timeout of the service, each with its reason. `test/project/limits.test.ts` checks the relations between them.
// The limits of the interfaces themselves, such as the page size, are in contract/v1/operations.ts and contract/operator/.
// Names in milliseconds end in `Ms`. Text lengths are in UTF-16 code units.

// What the service promises. `answerMs` and `revocationMs` are not used by the code: the limits below are chosen so that they are kept.

/** Every request is answered within this time after its body has arrived, whatever has failed. */
export const answerMs = 3_000;
/** A revoked key is refused within this time. */
export const revocationMs = 1_000;
/** How long an Idempotency-Key is kept. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;
/** The last use of a key or a session is recorded at most this often. */
export const keyUseIntervalMs = 60_000;

/** A session ends when it was not used for this long, */
export const sessionIdleMs = 12 * 60 * 60 * 1000;
/** and in any case after this time. */
export const sessionLifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** How long a link to sign in is valid: enough to open it, also on another machine. */
export const signInLinkMs = 10 * 60_000;
/** Wrong attempts to sign in that a process answers with the reason in this time. A valid key or link always signs in. */
export const maxWrongSignIns = 10;
export const signInIntervalMs = 60_000;
/**
 * How far the clocks of machines may differ. What was made later than this after now was made while a clock was wrong, and has ended: it
 * would be valid until that time comes, which may take years.
 */
export const maxClockSkewMs = 60_000;

// HTTP

/** Far above a usual NewPet. */
export const maxBodyBytes = 64 * 1024;
/** With a reviver, JSON.parse fails at depths above 4,000. Without one it accepts any depth. This limit makes both the same. */
export const maxJsonDepth = 2_000;
/** Shorter than `idleMs`, so that the client gets a 408 before its connection is closed. */
export const bodyTimeoutMs = 6_000;
/** Bun closes a connection, without a reply, when no byte was sent or received for this long. */
export const idleMs = 10_000;
/** Text up to this length is sent in one piece, longer text as a stream. A list of a hundred usual names is shorter. */
export const maxPlainReplyLength = 32 * 1024;
/** Bytes of the longer replies that are being made or sent: four lists of a hundred of the longest names. */
export const maxReplyBytes = 32 * 1024 * 1024;
/** What one key may take of it, so that the others are answered too. */
export const maxReplyBytesPerKey = 16 * 1024 * 1024;
/** Longer pages are read one after the other, with a pause after each: one of the longest names stops the event loop for some hundredths of a second. */
export const longPageBytes = 512 * 1024;
export const longPagePauseMs = 1;
/** After so many bytes of these pages garbage is collected: a page leaves several times its length, and Bun by itself collects it too late. */
export const maxGarbageBytes = 4 * 1024 * 1024;
/** A streamed reply that is not read completely after this time is aborted. Together with the idle timeout it is less than a minute. */
export const slowReaderMs = 45_000;
/** When the service stops, the replies that are being made or sent get this long. */
export const lastReplyMs = 10_000;
/** A listener that is replaced by another goes on for this time. All idle connections end in it: Bun may notice the idle timeout two seconds late. */
export const connectionsEndMs = 13_000;
/** Of the requests that are refused for one reason, the log gets the first and, after this interval, the number of the others. */
export const refusalLogMs = 1_000;
/** What the log shows of a path with its query. */
export const maxLoggedPathLength = 100;

/** Ranges of Accept and Accept-Encoding that are looked at, and parts of one: more than browsers send. Anyone can send 15,000 without a key. */
export const maxRanges = 50;
export const maxRangeParts = 10;
/** What is looked at of If-None-Match, where a client names replies that it has. */
export const maxIfNoneMatchLength = 2_000;

// Operator interface

/** 1,000 changes with names of a thousand bytes. */
export const maxBatchBodyBytes = 1024 * 1024;
/**
 * How long findPets, listChanges and readStatus may take after the lookup of the key, and signIn with that lookup, whatever has
 * failed. As long as one answer of PostgreSQL.
 */
export const operatorAnswerMs = 1_900;
/** A search ends after this many animals or this time, and says how far it came. */
export const maxLooked = 10_000;
export const searchMs = 500;
/** Searches that run at the same time. They take turns. */
export const maxSearches = 16;
/** Animals that a search reads at once, no more than the longest list has; and the pause after that, in which other requests are answered. */
export const searchSlice = 100;
export const searchPauseMs = 1;
/** The text of the names that a search compares at once: a hundred usual names are far shorter. */
export const maxSliceLength = 64 * 1024;
/** How long readStatus counts animals, and how long it uses a count again. */
export const countMs = 1_000;
export const countCacheMs = 5_000;
/** Animals that are counted at once, by an index, and the pause after that. */
export const countSlice = 10_000;
export const countPauseMs = 1;

// Feed of changes

/** A page of the feed ends when its changes may take this as JSON text: a thousand changes with names of 10 characters fit. */
export const maxFeedPageBytes = 256 * 1024;
/** Pages that are read at the same time: each may be as long as that. */
export const maxFeedReads = 4;
/** Streams that a process serves at the same time. Each holds a connection, and the text of up to two pages of a stream. */
export const maxStreams = 256;
/** Of these, streams of one key or session, so that no client takes all of them. */
export const maxStreamsOfKey = 32;
export const streamPageLimit = 100;
export const streamPageBytes = 64 * 1024;
/** How often the streams look for something new, together: a change arrives within half a second. */
export const feedPollMs = 200;
/** A stream that has sent nothing for this long sends a comment. Five seconds are promised, and Bun would close the connection after `idleMs`. */
export const streamCommentMs = 4_000;
/** A client that does not take the next part of a stream for this long is disconnected. */
export const slowStreamMs = 10_000;

// Log

/** Linux writes up to this many bytes to a pipe whole or not at all (PIPE_BUF), also when several workers write to it. */
export const maxLogLineBytes = 4_096;

// Log lines about a database that fails

/** How often it is asked whether it works again. */
export const outageCheckMs = 1_000;
/** It works again if nothing has failed for this long. Longer than a client takes from one failure to that of its retry. */
export const outageQuietMs = 5_000;
/** How often a line says that it still fails. */
export const outageReminderMs = 60_000;

// Authentication

/** How long a stored key or a session is trusted before the store is asked again. */
export const keyCacheMs = 500;
/** Keys, and sessions, that are remembered at the same time: more than a process meets in that time. All are forgotten above it. */
export const maxCachedLookups = 10_000;

// What is remembered of requests

/** URLs, and queries, of which it is remembered what they mean: more than a process meets within a minute. All are forgotten above it. */
export const maxRememberedTexts = 1_000;
/** Longer texts are not remembered, so that all take less than a megabyte. */
export const maxRememberedLength = 256;

// Queues in front of the store

/** How long a request may wait for its batch to begin. */
export const maxQueueMs = 1_000;
/**
 * Requests that may wait for a batch. SQLite commits this many within `maxQueueMs` on a disk whose fsync takes 50 ms. If all of them
 * add the longest animals, they take 1 GiB of memory. The limit is far above the 1,000 requests that keep such a disk busy: a refusal
 * costs nearly as much as an add, so clients that retry without a pause would leave little time for the others.
 */
export const maxQueued = 16_384;
/** Changes of animals that may wait or be in progress, of all requests together: some of the largest requests, or about as many single ones as adds. */
export const maxWaitingChanges = 16_000;
/** Requests in one query of PostgreSQL. */
export const maxBatch = 256;
/** SQLite commits one batch per iteration of the event loop, so a batch must take all requests that one iteration brings. */
export const maxSqliteBatch = 1_024;
/** Requests that one iteration of the event loop answers: just below the 1,024 events that Bun takes from the system in one call. */
export const maxRequestsPerIteration = 1_000;
/** Requests that wait for the store in total. More than the adds that may be queued or in a batch, so that reads have room. */
export const maxPending = 20_000;
/** No request can arrive while SQLite commits on the event loop, so a batch waits up to this long for as many requests as the last one had. */
export const batchLingerMs = 1;

// Cached pages

/** Text of all cached first pages: room for one page of the longest names. */
export const maxCachedLength = 8 * 1024 * 1024;

// SQLite

/** How often the service looks whether its database file was deleted or replaced. Adds and /readyz look each time. */
export const databaseFileCheckMs = 200;
/** How long a start waits for another process. SQLite waits by itself then, which stops the event loop. */
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
/** More changes of animals in one transaction run on the writer thread: each may read and write pages of its own, in a large catalogue. */
export const maxEventLoopChanges = 20;
/** How long they wait for a thread that starts. If it has not started by then, they run on the event loop. */
export const writerStartMs = 90;
/** Pages in the WAL that make a checkpoint due. */
export const walCheckpointPages = 1_000;
/** Further pages before the next attempt, after a reader has kept a checkpoint from finishing. */
export const walRetryPages = 250;
/** How long reads share a read transaction at most. SQLite cannot restart the WAL while one is open. */
export const snapshotMs = 2;
/** How long a checkpoint waits for readers of other processes: on the event loop, which stops meanwhile; and on the writer thread. */
export const checkpointWaitMs = 5;
export const threadCheckpointWaitMs = 100;
/** How often a command that has written a long WAL tries to checkpoint it. After that the service does. */
export const checkpointAttempts = 20;
/** A full WAL is checkpointed at most this often, since each attempt waits for the reader that prevents it. */
export const fullWalRetryMs = 100;
/** Writes are refused above this. More would take too long to checkpoint when the reader has gone. */
export const maxWalBytes = 256 * 1024 * 1024;
/** What SQLite leaves of the WAL file when it restarts the WAL. */
export const idleWalBytes = 8 * 1024 * 1024;
/** Room for 200,000 animals, instead of the 50,000 of SQLite's default. */
export const sqliteCacheKib = 8 * 1024;
/** What a process takes at most under load on a large catalogue, if nothing is mapped (npm run bench). What is allowed beyond it maps the file. */
export const defaultMemoryBytes = 120_000_000;
/** SQLite maps two gigabytes of a file at most. */
export const maxMemoryBytes = 2_000_000_000;

// PostgreSQL

/** The server cancels a statement after this time, so it is known that the statement was not done. */
export const statementMs = 1_500;
/** How long a new connection may take. */
export const connectMs = 1_500;
/** How often a start looks whether its session is its own. Others who use the pooler at that moment may hide it once. */
export const sessionRounds = 3;
/** How often a start with --wait-for-database tries to connect. */
export const connectRetryMs = 250;
/** After this time the connection counts as lost. */
export const queryMs = 1_700;
/** How long a caller waits for one answer of PostgreSQL. */
export const postgresAnswerMs = 1_900;
/** How long the lookup of a key may take, which comes before the request's own query. */
export const keyLookupMs = 1_000;
/** Other copies of the service may be migrating. */
export const migrationMs = 30_000;
/** How often a query that fails with a deadlock or a serialization failure is tried. */
export const maxAttempts = 5;
/** Pages that are read for lists at the same time. More than the connections of a usual pool; the others wait here and not for a connection, which would count as a failure. */
export const maxPageReads = 64;
/** How long a read of the feed waits for transactions that are still open, and how often it looks. Then it returns what came before them. */
export const horizonWaitMs = 300;
export const horizonPollMs = 5;
/** Requests that wait at the same time share a query, so few connections are enough. */
export const defaultPoolSize = 4;

// Housekeeping

/** How often expired Idempotency-Keys, sessions and links, and old usage, are deleted. */
export const cleanUpIntervalMs = 10 * 60_000;
/** Rows per transaction, so that no request waits long for one: SQLite stops the event loop meanwhile, PostgreSQL does not. */
export const sqliteCleanUpRows = 200;
export const postgresCleanUpRows = 1_000;
/** Rows in one part of an archive, so that a command needs little memory. */
export const archiveRows = 1_000;
/** Changes that are read at once while a backup catches up, each with its animal. */
export const archiveChanges = 100;
/** The pause of a backup after each part, in which the service gets the processor and the disk. A part takes about as long. */
export const backupPauseMs = 3;
/** How far the clock may be set back while a backup is made: Idempotency-Keys that are this much older than it are read again at its end. */
export const clockStepMs = 60_000;

/** Problems that `petstore check` prints. After that it only counts them. */
export const maxFindings = 100;

/** Backups that the operator interface lists: years of daily ones. */
export const maxListedBackups = 1_000;
/** A partial backup of another machine that was not written to for this long is that of a process that has ended. */
export const partialBackupMs = 24 * 60 * 60 * 1000;
/** Backups that are downloaded at the same time, and what is read of one at once. */
export const maxDownloads = 4;
export const downloadChunkBytes = 64 * 1024;

// Import and export

/** One line of an imported file: the longest name, also if all its characters beyond ASCII are escaped, which takes up to three times as much. */
export const maxImportedLineBytes = 256 * 1024;
/** Errors of an imported file that are told one by one; the others are counted. */
export const maxToldErrors = 100;
/** Animals that an import adds at once, within its transaction. A signal to stop, and the progress, wait that long. */
export const importRows = 10_000;
/** Text of the names that an import sends to PostgreSQL at once. */
export const maxImportLength = 256 * 1024;
/** How long an import, a restore or a copy waits until it can begin its transaction. It says so while it waits. */
export const longLockMs = 10 * 60_000;
/**
 * How long each of its tries to lock the tables of PostgreSQL takes, in which adds wait, and the pause after it, in which adds are done.
 * Shorter than `statementMs`, so that no add is refused.
 */
export const lockTryMs = 400;
export const lockPauseMs = 600;
/** Animals that an export reads at once, and the text of their names at which it stops reading more: what it keeps in memory. */
export const exportRows = 1_000;
export const maxExportLength = 256 * 1024;
/** An export that is read too slowly ends its read transaction when SQLite's WAL has grown to this: half of the size at which adds are refused. */
export const maxExportWalBytes = 128 * 1024 * 1024;
/** An import or export that is no terminal's tells its progress this often. */
export const progressMs = 5_000;
/** Exports that a process sends over HTTP at the same time, and how long each may take. */
export const maxHttpExports = 2;
export const httpExportMs = 10 * 60_000;
/** A client must read each part of it, up to about 300 KiB, within this time. */
export const exportPartMs = 10_000;
/** Animals that an export over HTTP reads at once, which stops the event loop: as many as the longest list has. */
export const httpExportRows = 100;

// Usage

/** Counted requests are added to the database this often. A process that is killed loses at most the counts of this time. */
export const usageFlushMs = 10_000;
/** Counts in one transaction, each of which changes up to five rows, so that no request waits long for one. */
export const usageFlushCounts = 40;
/** Counts that wait for a database that fails. Above this, those of different minutes are combined. */
export const maxUnflushedCounts = 10_000;
/** Rows that SQLite sums at once, which stops the event loop: some milliseconds. */
export const usageSliceRows = 1_000;
/** Rows that one read sums: far more than hundreds of keys have over all 400 days. A read of more is refused with what to do. */
export const maxUsageCounts = 300_000;
/** How long the sums of SQLite may take in total. */
export const usageReadMs = 1_900;
/** How long a request for usage waits for the counts of its own process. On PostgreSQL it then waits for its key and its query. */
export const usageFlushWaitMs = 80;

// Workers

/** The delay before a worker that ended is started again: doubled each time, until it has run for `workerSettledMs`. */
export const workerDelayMs = 100;
export const maxWorkerDelayMs = 5_000;
export const workerSettledMs = 10_000;
/** A new process that does not listen by then is killed, and the worker that it was to replace goes on. Longer than a migration. */
export const workerStartMs = 60_000;
/** A worker that has not stopped by then is killed. */
export const workerStopMs = 15_000;

/** How often a worker sends its metrics to its supervisor. Of a worker that is killed, what came after the last time is missing. */
export const metricsSendMs = 1_000;
/** How long the supervisor waits for the metrics of its workers; then it uses those that they have sent last. */
export const metricsWaitMs = 500;
/** How long a worker waits for the metrics of all workers. */
export const allMetricsWaitMs = 1_500;

// Sandbox

/** A write of this many takes seconds. */
export const maxDemoAnimals = 1_000_000;
/** Clients give up earlier. Bun's idle timeout cannot be longer than 255 seconds. */
export const maxFaultDelayMs = 60_000;
/** Requests that the sandbox keeps for GET /sandbox/requests, and the text that they may have together: more than a test sends, and little enough for any machine. */
export const maxRecordedRequests = 1_000;
export const maxRecordedLength = 16 * 1024 * 1024;

// Commands

/** `petstore verify` waits this long for a reply. A slow pet store is not a wrong one. */
export const verifyTimeoutMs = 10_000;
/** `petstore health` waits this long for the answer: longer than the service takes to say that it is not ready. */
export const healthMs = 4_000;
/** `petstore console` waits this long to find out whether the service answers. Someone waits for the prompt. */
export const linkProbeMs = 1_000;
