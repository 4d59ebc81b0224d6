// Warns of keys that change by a restore: those of the backup take the place of those that are there.
import type { Key } from "../../store/keys.ts";

/** A key is known by its hash, since another database may have another key with the same id. */
export function findKeyWarnings(
	before: readonly Key[],
	restored: readonly Key[],
): string[] {
	const kept = new Set(restored.map(({ hash }) => hash));
	const earlier = new Map(before.map((key) => [key.hash, key]));
	return [
		...toWarning(
			"Warning: keys that are not in the backup are gone:",
			before.filter(({ hash }) => !kept.has(hash)),
		),
		...toWarning(
			"Warning: keys that were revoked after the backup are valid again:",
			restored.filter(
				({ hash, revokedAt }) =>
					revokedAt === undefined && earlier.get(hash)?.revokedAt !== undefined,
			),
		),
		...toWarning(
			"Warning: keys that were rotated after the backup have their earlier secret again:",
			restored.filter(
				({ hash, prefix }) => (earlier.get(hash)?.prefix ?? prefix) !== prefix,
			),
		),
	];
}

function toWarning(sentence: string, keys: readonly Key[]): string[] {
	if (keys.length === 0) return [];
	const names = keys.map(({ id, name }) => `${JSON.stringify(name)} (${id})`);
	return [`${sentence} ${names.join(", ")}.`];
}
