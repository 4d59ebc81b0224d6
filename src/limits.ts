// Limits and timeouts that depend on each other; `test/project/limits.test.ts` checks how. All other limits are in the files that use them.
// Names in milliseconds end in `Ms`. Text lengths are in UTF-16 code units.

// Promises. No code reads `answerMs` and `revocationMs`: the limits below keep them.

/** Every reply starts within this time after the request body, except for backups and delays of a sandbox. */
export const answerMs = 3_000;
/** A revoked key is refused within this time. */
export const revocationMs = 1_000;
/** How long an Idempotency-Key is kept. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;
/** How often the store records the use of a key or session, at most. */
export const keyUseIntervalMs = 60_000;
/** An unused session ends after this time. */
export const sessionIdleMs = 12 * 60 * 60 * 1000;

// HTTP

/** Far above a usual NewPet. */
export const maxBodyBytes = 64 * 1024;
/** Shorter than `idleMs`, so that the client gets a 408 before Bun closes its connection. */
export const bodyTimeoutMs = 6_000;
/** Bun closes a connection after this time without a byte, and sends no reply. */
export const idleMs = 10_000;
/** Long replies that clients have not read, of all clients together: 200 lists of a hundred of the longest names. */
export const maxUnsentBytes = 32 * 1024 * 1024;
/** The service aborts a streamed reply that the client has not read by then: with `idleMs`, in less than a minute. */
export const slowReaderMs = 45_000;
/** Time for the last replies when the service stops. */
export const lastReplyMs = 10_000;

// Operator interface

/** 1,000 changes with names of a thousand bytes: 250 characters, all outside the Basic Multilingual Plane. */
export const maxBatchBodyBytes = 1024 * 1024;
/** Timeout of findPets, listChanges and readStatus after the key lookup, and of signIn with it. As long as `postgresAnswerMs`. */
export const operatorAnswerMs = 1_900;
/** A search ends after this time with what it has found, and says how far it came. It pauses for other requests. */
export const searchMs = 1_000;
export const searchPauseMs = 1;

// Authentication

/** How long the service trusts the lookup of a stored key or session. */
export const keyCacheMs = 500;

// Queues in front of the store

/** How long a request may wait for its batch to begin. */
export const maxQueueMs = 1_000;
/**
 * Requests that may wait for a batch. SQLite commits this many within `maxQueueMs` even if an fsync takes 50 ms. A much
 * lower limit would refuse more requests, and a refusal costs nearly as much as an add.
 */
export const maxQueued = 16_384;
/** Changes of animals that may wait or be in progress: a few of the largest batches, or about as many single changes as adds. */
export const maxWaitingChanges = 16_000;
/** SQLite commits one batch per event loop iteration, so a batch must hold all requests of one iteration. */
export const maxSqliteBatch = 1_024;
/** Requests that may wait for the store: more than the adds in queues and batches, so that reads have room. */
export const maxPending = 20_000;

// SQLite

/** How long a start waits for another process's lock. SQLite itself waits, which blocks the event loop. */
export const sqliteStartLockMs = 5_000;
/** How long a write waits for a long one, of any process, from the request on. Below `answerMs`. */
export const maxLockMs = 2_800;
/** How long an import or a restore waits for another one. */
export const longLockMs = 5_000;
/** How often a wait for the lock of another process of SQLite looks. */
export const sqliteLockRetryMs = 2;
/** The size to which SQLite truncates the WAL file when it restarts the WAL. */
export const idleWalBytes = 8 * 1024 * 1024;

// PostgreSQL

/** PostgreSQL cancels a statement after this time. A cancelled statement has certainly written nothing. */
export const statementMs = 1_500;
export const connectMs = 1_500;
/** If a query has no result by then, its connection counts as lost. */
export const queryMs = 1_700;
/** How long a caller waits for one answer of PostgreSQL. */
export const postgresAnswerMs = 1_900;
/** How long a key lookup may take. It comes before the request's own query. */
export const keyLookupMs = 1_000;

// Housekeeping

/** How often the service deletes expired Idempotency-Keys, sessions and links, and old history. */
export const cleanUpIntervalMs = 10 * 60_000;
/** Rows per clean-up transaction, so that no request waits long. SQLite blocks the event loop; PostgreSQL does not. */
export const sqliteCleanUpRows = 200;
export const postgresCleanUpRows = 1_000;
/** A backup of the service is killed after this time. Until then, no other process makes one. */
export const backupMs = 30 * 60_000;
/** Pause after a failed backup. */
export const backupRetryMs = 5 * 60_000;
/** A request for a backup gets its reply within this time: proxies usually time out after a minute. */
export const backupAnswerMs = 50_000;
/** Simultaneous downloads of backups, and how much of one is read at once. */
export const maxDownloads = 4;
export const downloadChunkBytes = 64 * 1024;

// Import and export

/** One line of an imported file: as much as the body of an add. */
export const maxImportedLineBytes = maxBodyBytes;
/** A slow export ends its read transaction at this size of the WAL, which SQLite cannot restart until then. */
export const maxExportWalBytes = 128 * 1024 * 1024;
/** Animals that an HTTP export reads at once, which blocks the event loop. As many as the longest list. */
export const httpExportRows = 100;

/** Animals of a file that the command line imports. */
export const maxImportedAnimals = 1_000_000;
/** The size of a file imported over HTTP, and the time for its upload. */
export const maxImportBytes = 64 * 1024 * 1024;
export const importBodyMs = 60_000;
/** Animals of that file: few enough for SQLite to write within `importWriteMs`. Use the command for larger files. */
export const maxHttpImportAnimals = 100_000;
/** How long an import over HTTP may write. Other writes that wait too long for it fail, and have written nothing. */
export const importWriteMs = 50_000;
/** Bytes of that file that are parsed at once, which blocks the event loop. */
export const importPartBytes = 16 * 1024;

// Sandbox and commands

/** Clients give up earlier. Bun's idle timeout cannot be longer than 255 seconds. */
export const maxFaultDelayMs = 60_000;
/** How long `petstore verify` waits for a reply. A slow pet store is not wrong. */
export const verifyTimeoutMs = 10_000;
/** How long `petstore health` waits: longer than the service takes to reply that it is not ready. */
export const healthMs = 4_000;
