// Sums of usage with the names of their keys, as both forms of the command show them.
import type { StoreReader } from "../../store/store.ts";
import type { UsageSum } from "../../store/usage.ts";

export interface NamedSum extends UsageSum {
	/** Of its key. */
	readonly name: string;
}

export async function nameKeys(
	store: StoreReader,
	sums: readonly UsageSum[],
): Promise<readonly NamedSum[]> {
	const names = new Map(
		(await store.keys.list()).map(({ id, name }) => [String(id), name]),
	);
	return sums.map((sum) => ({
		...sum,
		name: sum.key === "" ? "(no valid key)" : (names.get(sum.key) ?? ""),
	}));
}
