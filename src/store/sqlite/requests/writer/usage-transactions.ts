// The transactions that change the counts of usage.
import type { Database } from "bun:sqlite";
import { sqliteCleanUpRows, usageFlushCounts } from "../../../../limits.ts";
import { oldHours } from "../../../usage/levels.ts";
import {
	durationColumns,
	toUsageRow,
	toUsageRows,
	type UsageRow,
	type UsageValues,
} from "../../../usage/rows.ts";
import { durationCount } from "../../../usage.ts";

export function prepareUsageTransactions(db: Database) {
	const add = db.query(
		`INSERT INTO usage VALUES (?, ?, ?, ?, ?, ?${", ?".repeat(durationCount)})
		ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
		${durationColumns.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`,
	);
	const readSome = db.query<UsageValues, [string, number]>(
		"SELECT * FROM usage WHERE period = ? LIMIT ?",
	);
	const deleteRow = db.query(
		"DELETE FROM usage WHERE period = ? AND starts_at = ? AND key = ? AND operation = ? AND status = ?",
	);

	function addUsage(rows: readonly UsageRow[]): void {
		for (const { period, startsAt, key, operation, status, ...row } of rows)
			add.run(
				...[period, startsAt, key, operation, status],
				...[row.requests, ...row.durations],
			);
	}

	return {
		addUsage,

		/** Moves some of the rows that older programs have written to the levels. */
		moveOldHours(): void {
			const { name, levels } = oldHours;
			const rows = readSome.all(name, usageFlushCounts).map(toUsageRow);
			const counts = rows.map((row) => ({ ...row, at: row.startsAt }));
			addUsage(toUsageRows(counts, levels));
			for (const { startsAt, key, operation, status } of rows)
				deleteRow.run(name, startsAt, key, operation, status);
		},

		/** Deletes some of the rows that start before this time. */
		deleteUsage(level: string, startsBefore: number): void {
			db.run(
				`DELETE FROM usage WHERE (period, starts_at, key, operation, status) IN
				(SELECT period, starts_at, key, operation, status FROM usage WHERE period = ? AND starts_at < ? LIMIT ?)`,
				[level, startsBefore, sqliteCleanUpRows],
			);
		},
	};
}
