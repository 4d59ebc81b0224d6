// The sessions in PostgreSQL.
import {
	keyUseIntervalMs,
	maxClockSkewMs,
	postgresCleanUpRows,
	sessionIdleMs,
	sessionLifetimeMs,
	signInLinkMs,
} from "../../limits.ts";
import type { Keys } from "../keys.ts";
import { isValidLink, type Session, type Sessions } from "../sessions.ts";
import {
	type Database,
	query,
	type Statement,
	toStatements,
	withAnswerTimeout,
	withLookupTimeout,
} from "./database.ts";

export function openSessions(db: Database, keys: Keys): Sessions {
	async function write(statement: Statement, values: unknown[]): Promise<void> {
		await withAnswerTimeout(query(db.writes, statement, values));
	}

	async function find(hash: string): Promise<Session | undefined> {
		const [row] = await query<SessionRow>(db, statements.findSession, [hash]);
		if (row === undefined) return undefined;
		const { secretHash } = row;
		return {
			hash,
			secretHash: secretHash ?? undefined,
			createdAt: Number(row.createdAt),
			lastUsedAt: Number(row.lastUsedAt),
			key: secretHash === null ? undefined : await keys.find(secretHash),
		};
	}

	async function useLink(hash: string, at: number): Promise<boolean> {
		// Anyone can guess, so a guess must not be a write.
		const [found] = await query(db, statements.findLink, [hash]);
		if (found === undefined) return false;
		const [link] = await query<LinkRow>(db.writes, statements.useLink, [hash]);
		return link !== undefined && isValidLink(Number(link.expiresAt), at);
	}

	return {
		add: ({ hash, secretHash = null, createdAt }) =>
			write(statements.addSession, [hash, secretHash, createdAt]),

		find: (hash) => withLookupTimeout(find(hash)),

		recordUse: (hash, at) => write(statements.recordSessionUse, [at, hash]),

		delete: (hash) => write(statements.deleteSession, [hash]),

		deleteAll: () => write(statements.deleteAllSessions, []),

		async deleteExpired(at) {
			await write(statements.deleteSessions, [at]);
			await write(statements.deleteLinks, [at]);
		},

		addLink: ({ hash, expiresAt }) =>
			write(statements.addLink, [hash, expiresAt]),

		useLink: (hash, at) => withAnswerTimeout(useLink(hash, at)),
	};
}

interface SessionRow {
	readonly secretHash: string | null;
	readonly createdAt: string;
	readonly lastUsedAt: string;
}

interface LinkRow {
	readonly expiresAt: string;
}

const statements = toStatements({
	addSession: `INSERT INTO petstore.sessions (hash, secret_hash, created_at, last_used_at)
		VALUES ($1, $2, $3, $3)`,
	findSession: `SELECT secret_hash AS "secretHash", created_at AS "createdAt", last_used_at AS "lastUsedAt"
		FROM petstore.sessions WHERE hash = $1`,
	recordSessionUse: `UPDATE petstore.sessions SET last_used_at = $1::int8
		WHERE hash = $2 AND last_used_at <= $1::int8 - ${keyUseIntervalMs}`,
	deleteSession: "DELETE FROM petstore.sessions WHERE hash = $1",
	deleteAllSessions: `WITH links AS (DELETE FROM petstore.sign_in_links)
		DELETE FROM petstore.sessions`,
	deleteSessions: `DELETE FROM petstore.sessions WHERE hash IN (
			SELECT hash FROM petstore.sessions WHERE last_used_at <= $1::int8 - ${sessionIdleMs} OR created_at <= $1::int8 - ${sessionLifetimeMs}
			OR GREATEST(last_used_at, created_at) > $1::int8 + ${maxClockSkewMs} LIMIT ${postgresCleanUpRows}
		)`,
	addLink:
		"INSERT INTO petstore.sign_in_links (hash, expires_at) VALUES ($1, $2)",
	findLink: "SELECT FROM petstore.sign_in_links WHERE hash = $1",
	useLink: `DELETE FROM petstore.sign_in_links WHERE hash = $1 RETURNING expires_at AS "expiresAt"`,
	deleteLinks: `DELETE FROM petstore.sign_in_links WHERE hash IN (
			SELECT hash FROM petstore.sign_in_links
			WHERE expires_at <= $1::int8 OR expires_at > $1::int8 + ${signInLinkMs + maxClockSkewMs} LIMIT ${postgresCleanUpRows}
		)`,
});
