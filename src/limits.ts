// Limits and timeouts that several files share. All others are in the files that use them. Names in milliseconds end in `Ms`.

/** How long an Idempotency-Key is kept. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;
/** How often the store records the use of a key or session, at most. */
export const keyUseIntervalMs = 60_000;
/** An unused session ends after this time. */
export const sessionIdleMs = 12 * 60 * 60 * 1000;
/** Of a request whose operation has no other limit. Far above a usual NewPet. */
export const maxBodyBytes = 64 * 1024;

// Waits for the store, all but the long one below the 3 seconds in which each reply starts.

/** How long a read for operators may take after the key lookup, but for searches. As long as `postgresAnswerMs`. */
export const operatorAnswerMs = 1_900;
/** How long a request may wait for its batch to begin. */
export const maxQueueMs = 1_000;
/** How long a write on SQLite waits for a long one, of any process, from the request on. */
export const maxLockMs = 2_800;
/** How long an import or a restore waits for another one. */
export const longLockMs = 5_000;
/** How long a caller waits for one answer of PostgreSQL. */
export const postgresAnswerMs = 1_900;

/** The size of a file imported over HTTP. */
export const maxImportBytes = 64 * 1024 * 1024;
/** Of long work over HTTP, like an import: proxies usually time out after a minute. Writes that wait too long for it write nothing. */
export const longWriteMs = 50_000;
/** Of a sandbox. Clients give up earlier. Bun's idle timeout cannot be longer than 255 seconds. */
export const maxFaultDelayMs = 60_000;
