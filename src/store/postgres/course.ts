// Notices that a server has lost commits: a standby took over, or an earlier state was restored, perhaps into another server. Positions of
// the feed then come again for other changes, so that an epoch begins, also if nothing was lost.
import type { ClientBase } from "pg";
import { petStatuses } from "../../domain/pet/pet.ts";
import { newestState, toNextBase } from "../database/state.ts";
import { writerLock } from "./connection.ts";

/** The timeline of the server, its system, and the table. A snapshot of a disk has the same ones. */
const actual = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' '
	|| (SELECT system_identifier FROM pg_control_system()) || ' ' || CAST(CAST('counter' AS regclass) AS oid)`;

const compare = `SELECT last, base, course, ${actual} AS actual ${newestState}`;

const totals = petStatuses.join(", ");

interface Found {
	readonly last: bigint;
	readonly base: string;
	/** Empty in a database that was made before it was stored. */
	readonly course: string;
	readonly actual: string;
}

/** Begins an epoch if another course has begun, once for all copies of the service. Returns the course. */
export async function followCourse(client: ClientBase): Promise<string> {
	const found = await look(client);
	if (found.course === found.actual) return found.actual;
	await client.query(`BEGIN; SELECT ${writerLock}`);
	const { last, base, course } = await look(client);
	const next =
		course === "" ? base : `${toNextBase(BigInt(base) + last, last)}`;
	if (course !== found.actual)
		await client.query(
			`INSERT INTO counter (number, last, base, course, deltas, folded, ${totals})
				SELECT number + 1, last, $1, $2, '{}', folded, ${totals} ${newestState}`,
			[next, found.actual],
		);
	await client.query("COMMIT");
	return found.actual;
}

async function look(client: ClientBase): Promise<Found> {
	const { rows } = await client.query<Found>(compare);
	const [found] = rows;
	if (found === undefined) throw new Error("The counter has no row");
	return found;
}
