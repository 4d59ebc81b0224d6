// The sessions in SQLite.
import type { Database } from "bun:sqlite";
import {
	keyUseIntervalMs,
	maxClockSkewMs,
	sessionIdleMs,
	sessionLifetimeMs,
	signInLinkMs,
	sqliteCleanUpRows,
} from "../../limits.ts";
import type { Keys } from "../keys.ts";
import { isValidLink, type Sessions } from "../sessions.ts";
import { retryWhileBusy } from "./database.ts";
import type { EventLoopWriter } from "./writer/writes.ts";

export function openSessions(
	db: Database,
	keys: Keys,
	writer: EventLoopWriter,
): Sessions {
	const statements = prepareStatements(db);
	return {
		async add({ hash, secretHash = null, createdAt }) {
			await writer.run(() =>
				statements.add.run(hash, secretHash, createdAt, createdAt),
			);
		},

		async find(hash) {
			const row = await retryWhileBusy(() => statements.find.get(hash));
			if (row === null) return undefined;
			const { secretHash } = row;
			return {
				hash,
				secretHash: secretHash ?? undefined,
				createdAt: Number(row.createdAt),
				lastUsedAt: Number(row.lastUsedAt),
				key: secretHash === null ? undefined : await keys.find(secretHash),
			};
		},

		async recordUse(hash, at) {
			await writer.run(() => statements.recordUse.run(at, hash));
		},

		async delete(hash) {
			await writer.run(() => statements.delete.run(hash));
		},

		async deleteAll() {
			await writer.run(() => {
				statements.deleteAll.run();
				statements.deleteAllLinks.run();
			});
		},

		async deleteExpired(at) {
			await writer.run(() => {
				statements.deleteExpired.run(at, sqliteCleanUpRows);
				statements.deleteLinks.run(at, sqliteCleanUpRows);
			});
		},

		async addLink({ hash, expiresAt }) {
			await writer.run(() => statements.addLink.run(hash, expiresAt));
		},

		async useLink(hash, at) {
			// Anyone can guess, so a guess must not wait for the lock of the writers.
			const found = await retryWhileBusy(() => statements.findLink.get(hash));
			if (found === null) return false;
			return writer.run(() => {
				const link = statements.useLink.get(hash);
				return link !== null && isValidLink(Number(link.expiresAt), at);
			});
		},
	};
}

interface SessionRow {
	readonly secretHash: string | null;
	readonly createdAt: bigint;
	readonly lastUsedAt: bigint;
}

function prepareStatements(db: Database) {
	return {
		add: db.query<never, [string, string | null, number, number]>(
			"INSERT INTO sessions (hash, secret_hash, created_at, last_used_at) VALUES (?, ?, ?, ?)",
		),
		find: db.query<SessionRow, [string]>(
			`SELECT secret_hash AS secretHash, created_at AS createdAt, last_used_at AS lastUsedAt
			FROM sessions WHERE hash = ?`,
		),
		recordUse: db.query<never, [number, string]>(
			`UPDATE sessions SET last_used_at = ?1
			WHERE hash = ?2 AND last_used_at <= ?1 - ${keyUseIntervalMs}`,
		),
		delete: db.query<never, [string]>("DELETE FROM sessions WHERE hash = ?"),
		deleteAll: db.query<never, []>("DELETE FROM sessions"),
		deleteAllLinks: db.query<never, []>("DELETE FROM sign_in_links"),
		deleteExpired: db.query<never, [number, number]>(
			`DELETE FROM sessions WHERE hash IN (
				SELECT hash FROM sessions WHERE last_used_at <= ?1 - ${sessionIdleMs} OR created_at <= ?1 - ${sessionLifetimeMs}
				OR max(last_used_at, created_at) > ?1 + ${maxClockSkewMs} LIMIT ?2
			)`,
		),
		addLink: db.query<never, [string, number]>(
			"INSERT INTO sign_in_links (hash, expires_at) VALUES (?, ?)",
		),
		findLink: db.query<{ hash: string }, [string]>(
			"SELECT hash FROM sign_in_links WHERE hash = ?",
		),
		useLink: db.query<{ expiresAt: bigint }, [string]>(
			"DELETE FROM sign_in_links WHERE hash = ? RETURNING expires_at AS expiresAt",
		),
		deleteLinks: db.query<never, [number, number]>(
			`DELETE FROM sign_in_links WHERE hash IN
			(SELECT hash FROM sign_in_links WHERE expires_at <= ?1 OR expires_at > ?1 + ${signInLinkMs + maxClockSkewMs} LIMIT ?2)`,
		),
	};
}
