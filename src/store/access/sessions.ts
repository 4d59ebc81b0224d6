// The sessions of people who are signed in to the console, and links that sign in once. The store has only hashes.
import { includedScopes } from "../../domain/access/key-scope.ts";
import { sessionIdleMs } from "../../limits.ts";
import { openLookup } from "../database/batch.ts";
import type { Engine } from "../database/engine.ts";
import {
	all,
	first,
	insertRows,
	type Row,
	run,
	toPlain,
} from "../database/sql.ts";
import { toSelected } from "../database/tables.ts";
import {
	isInFuture,
	type Key,
	type Keys,
	maxClockSkewMs,
	toUseRecord,
} from "./keys.ts";

/** A session ends after this time, however often it is used. */
export const sessionLifetimeMs = 7 * 24 * 60 * 60 * 1000;
/** How long a link to sign in is valid: enough to open it, even on another machine. */
export const signInLinkMs = 10 * 60_000;

export type Sessions = ReturnType<typeof openSessions>;

interface NewSession {
	readonly hash: string;
	/** Of the key that made it; undefined for a link, or for a key that is not stored. */
	readonly keyHash: string | undefined;
	readonly createdAt: number;
	/** The name of the person, if the link had one. */
	readonly name?: string | undefined;
}

export interface Session extends NewSession {
	readonly lastUsedAt: number;
	/** Undefined without a stored key, or if it was deleted. */
	readonly key: Key | undefined;
}

interface SignInLink {
	readonly hash: string;
	readonly expiresAt: number;
	/** The person who gets the link. */
	readonly name?: string | undefined;
}

export function openSessions(engine: Engine, findKey: Keys["find"]) {
	const { read, write } = engine;
	const findRow = openLookup<Row>(
		engine,
		"find session",
		`SELECT ${toSelected("sessions")} FROM sessions WHERE`,
		"hash",
		({ hash }) => String(hash),
	);
	return {
		add: (session: NewSession) =>
			write(() =>
				insertRows("sessions", [{ ...session, lastUsedAt: session.createdAt }]),
			),

		/** The session may have ended: see `toSessionEnd`. */
		async find(hash: string): Promise<Session | undefined> {
			const row = await findRow(hash);
			if (row === undefined) return undefined;
			const session = toPlain<Omit<Session, "key">>(row);
			const { keyHash } = session;
			return { ...session, key: keyHash ? await findKey(keyHash) : undefined };
		},

		recordUse: toUseRecord(engine, "sessions", "last_used_at"),

		delete: (hash: string) =>
			write(() =>
				run("end session", "DELETE FROM sessions WHERE hash = $1", [hash]),
			),

		/** Deletes all links too. */
		deleteAll: () =>
			write(function* () {
				yield* run("end all sessions", "DELETE FROM sign_in_links");
				yield* run("end all sessions", "DELETE FROM sessions");
			}),

		addLink: (link: SignInLink) =>
			write(() => insertRows("signInLinks", [{ ...link }])),

		/** Returns the link if it was valid. It then ends for all processes. A longer validity comes from a wrong clock. */
		async useLink(hash: string, at: number) {
			const link =
				"sign_in_links WHERE hash = $1 AND expires_at > $2 AND expires_at <= $3";
			const values = [hash, at, at + signInLinkMs + maxClockSkewMs];
			// Reads first: anyone can guess, and a guess must not be a write.
			const known = await read(() =>
				all("find link", `SELECT 1 FROM ${link}`, values),
			);
			if (known.length === 0) return undefined;
			const used = await write(() =>
				first<Row>("use link", `DELETE FROM ${link} RETURNING name`, values),
			);
			return used && toPlain<Pick<SignInLink, "name">>(used);
		},
	};
}

/** When a session ends if it is not used again. 0 if a wrong clock or its key has ended it. */
export function toSessionEnd(session: Session, now: number): number {
	const { createdAt, lastUsedAt, keyHash, key } = session;
	if (isInFuture(createdAt, now) || isInFuture(lastUsedAt, now)) return 0;
	const byAge = Math.min(
		createdAt + sessionLifetimeMs,
		lastUsedAt + sessionIdleMs,
	);
	if (keyHash === undefined) return byAge;
	const isAllowed =
		key !== undefined &&
		key.revokedAt === undefined &&
		includedScopes[key.scope].includes("operator");
	return isAllowed ? Math.min(byAge, key.expiresAt ?? byAge) : 0;
}
