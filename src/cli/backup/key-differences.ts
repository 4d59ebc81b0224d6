// Which keys change by a restore: those of the backup take the place of those that are there.
import type { Key } from "../../store/keys.ts";

export interface KeyDifferences {
	/** Made after the backup. */
	readonly gone: readonly Key[];
	/** Revoked after the backup. */
	readonly validAgain: readonly Key[];
	/** Got another secret after the backup. */
	readonly rotated: readonly Key[];
}

/** A key is known by its hash, since another database may have another key with the same id. */
export function findKeyDifferences(
	before: readonly Key[],
	restored: readonly Key[],
): KeyDifferences {
	const kept = new Map(restored.map((key) => [key.hash, key]));
	const earlier = new Map(before.map((key) => [key.hash, key]));
	return {
		gone: before.filter(({ hash }) => !kept.has(hash)),
		validAgain: restored.filter(
			({ hash, revokedAt }) =>
				revokedAt === undefined && earlier.get(hash)?.revokedAt !== undefined,
		),
		rotated: restored.filter(
			({ hash, prefix }) => (earlier.get(hash)?.prefix ?? prefix) !== prefix,
		),
	};
}

export function toWarnings(differences: KeyDifferences): string[] {
	const { gone, validAgain, rotated } = differences;
	return [
		...toWarning("Warning: keys that are not in the backup are gone:", gone),
		...toWarning(
			"Warning: keys that were revoked after the backup are valid again:",
			validAgain,
		),
		...toWarning(
			"Warning: keys that were rotated after the backup have their earlier secret again:",
			rotated,
		),
	];
}

function toWarning(sentence: string, keys: readonly Key[]): string[] {
	if (keys.length === 0) return [];
	const names = keys.map(({ id, name }) => `${JSON.stringify(name)} (${id})`);
	return [`${sentence} ${names.join(", ")}.`];
}
