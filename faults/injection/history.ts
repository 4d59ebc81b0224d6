// Compares the history with the acknowledged changes: each has its entry, and no entry lacks its change.
import { maxInt64 } from "../../src/domain/json.ts";
import type { HistoryEntry } from "../../src/store/history.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { removed } from "./change-steps.ts";
import type { Changers } from "./changers.ts";

/** One sentence for each animal with a wrong history. */
export async function findWrongHistories(
	databaseUrl: string,
	{ histories }: Pick<Changers, "histories">,
): Promise<string[]> {
	const found = new Map<bigint, string[]>();
	const store = await openStore(databaseUrl, { access: "read" });
	for await (const { petId, before, pet } of readHistory(store)) {
		const names = [before?.name ?? removed, pet?.name ?? removed];
		found.set(petId, [names.join(" → "), ...(found.get(petId) ?? [])]);
	}
	await store.close();
	return [...histories].flatMap(([id, names]) => {
		const expected = names
			.slice(1)
			.map((name, index) => `${names[index]} → ${name}`)
			.join(", ");
		const kept = found.get(BigInt(id))?.join(", ") ?? "";
		return kept === expected
			? []
			: [`the history of ${id} is ${kept}, not ${expected}`];
	});
}

/** Newest first. */
export async function* readHistory({
	history,
}: Store): AsyncGenerator<HistoryEntry> {
	for (let maxPosition = maxInt64; ; ) {
		const page = await history.readAll({ maxPosition, limit: 1_000 });
		yield* page.entries;
		if (page.next === undefined) return;
		maxPosition = page.next - 1n;
	}
}
