// The last position up to which the feed may be read: a transaction may commit after another one with a later position.
import { setTimeout as sleep } from "node:timers/promises";
import { horizonPollMs, horizonWaitMs } from "../../../limits.ts";
import { type Horizon, toNextBase } from "../../feed.ts";
import { shareCalls } from "../../queue/batch.ts";
import { type Database, query, toStatements } from "../database.ts";
import { readEpoch } from "./epoch.ts";

/** The horizon covers every write that was acknowledged before the call, unless another transaction is still open. */
export function createHorizon(
	db: Database,
	waitMs = horizonWaitMs,
): () => Promise<Horizon> {
	let reached = { base: 0n, value: 0n };
	/**
	 * The next value to reach. Every transaction that has drawn a value up to it has a smaller xid. It stays until they have ended, so the
	 * horizon moves even if some transactions are always open.
	 */
	let candidate: { base: bigint; value: bigint; xid: string } | undefined;

	async function refresh(): Promise<Horizon> {
		let { base, lastId: last } = await readEpoch(db);
		// PostgreSQL has lost commits, for example because a standby took over without them. The values come again, for other changes.
		if (reached.base === base && last < reached.value) {
			await leaveBase(db, reached);
			({ base, lastId: last } = await readEpoch(db));
		}
		// The content was replaced, and the sequence may have been set back.
		if (reached.base !== base) {
			reached = { base, value: 0n };
			candidate = undefined;
		}
		if (candidate !== undefined && last < candidate.value)
			candidate = undefined;
		const deadline = performance.now() + waitMs;
		while (reached.value < last) {
			candidate ??= { base, value: last, xid: await drawXid(db) };
			const ended = await query(db, statements.findEnded, [candidate.xid]);
			if (ended.length > 0) {
				reached = candidate;
				candidate = undefined;
			} else if (performance.now() > deadline) break;
			else await sleep(horizonPollMs);
		}
		return { base, last, safe: reached.value };
	}

	return shareCalls(refresh);
}

/** Begins an epoch, unless another process has: readers with earlier positions get a 410. */
async function leaveBase(
	db: Database,
	{ base, value }: { base: bigint; value: bigint },
): Promise<void> {
	const next = toNextBase(base + value, value);
	await query(db.writes, statements.leaveBase, [`${base}`, `${next}`]);
}

async function drawXid(db: Database): Promise<string> {
	const [row] = await query<{ xid: string }>(db.writes, statements.drawXid);
	return row?.xid ?? "";
}

const statements = toStatements({
	// It writes to PostgreSQL's WAL, so its commit makes the value of the sequence durable that was read before it. Without this, a crash
	// could set the sequence back behind a position that a reader has.
	drawXid: `SELECT pg_current_xact_id()::text AS xid, pg_logical_emit_message(true, 'petstore', '')`,
	leaveBase:
		"UPDATE petstore.catalogue SET feed_base = $2 WHERE feed_base = $1",
	findEnded: "SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8",
});
