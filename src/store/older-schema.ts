// How commands that only read see a database of an older schema: what stands for the tables that it does not have yet.

/** For each migration: the queries that stand for its tables, and for those that it changes, in a database without it. */
export type StandIns = readonly Readonly<Record<string, string>>[];

/** By table, for a database that has the first `version` migrations. Those of an earlier migration count. */
export function toStandIns(
	standIns: StandIns,
	version: number,
): ReadonlyMap<string, string> {
	const missing = standIns.slice(version).toReversed();
	return new Map(missing.flatMap((tables) => Object.entries(tables)));
}
