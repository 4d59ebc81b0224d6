// The content of the pictures of the console: keys, and two weeks of traffic that follows a fixed formula.
import { makeKey } from "../harness/key.ts";
import type { Key } from "../src/store/keys.ts";
import type { Store } from "../src/store/store.ts";
import { durationCount, type UsageCount } from "../src/store/usage.ts";

const dayMs = 24 * 60 * 60_000;

/** Adds the samples to the store of a sandbox. */
export async function addSamples({ keys, usage }: Store): Promise<void> {
	const now = Date.now();
	const added: Key[] = [];
	for (const { name, scope, days } of sampleKeys) {
		const expiresAt = days === undefined ? undefined : now + days * dayMs;
		const { record } = makeKey({ name, scope, expiresAt });
		added.push(await keys.add(record));
	}
	for (const { id } of added) await keys.recordUse(id, now - 150_000);
	const minutes = Array.from(
		{ length: 60 },
		(_, index) => now - index * 60_000,
	);
	const days = Array.from(
		{ length: 13 },
		(_, index) => now - (index + 1) * dayMs,
	);
	await usage.add(
		[
			...minutes.map((at) => [at, 1] as const),
			...days.map((at) => [at, 400] as const),
		].flatMap(([at, factor], index) =>
			toCounts(at, factor * toWave(index), added),
		),
	);
}

const sampleKeys = [
	{ name: "web shop", scope: "read-write", days: undefined, share: 0.7 },
	{ name: "partner", scope: "read", days: 90, share: 0.25 },
	{ name: "crawler", scope: "read", days: 5, share: 0.05 },
] as const;

/** Between 0.4 and 1.6. */
function toWave(index: number): number {
	return 1 + 0.4 * Math.sin(index / 6) + 0.2 * Math.sin(index * 2.3);
}

function toCounts(
	at: number,
	factor: number,
	keys: readonly Key[],
): readonly UsageCount[] {
	return keys.flatMap(({ id }, index) => {
		const calls = factor * 900 * (sampleKeys[index]?.share ?? 0);
		const count = (operation: string, status: number, part: number) => {
			const requests = Math.round(calls * part);
			const durations = toDurations(requests);
			return { at, key: String(id), operation, status, requests, durations };
		};
		return [
			count("listPets", 200, 0.75),
			count("createPet", 201, 0.15),
			count("createPet", 400, 0.01),
			count("getPet", 200, 0.08),
			count("getPet", 404, 0.01),
		];
	});
}

/** Most requests take less than a millisecond, and one in sixty up to five. */
function toDurations(requests: number): readonly number[] {
	const slow = Math.round(requests / 60);
	const fast = Math.round((requests - slow) * 0.8);
	const others = [fast, requests - slow - fast, 0, slow];
	return Array.from(
		{ length: durationCount },
		(_, index) => others[index] ?? 0,
	);
}
