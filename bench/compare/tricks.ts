// The optimisations that make the code harder to read, each with the plain code that would replace it. `npm run bench -- --tricks` measures
// the extra processor time of the plain code. An optimisation that saves less than 3 % of an operation is removed.
import { type Variant, variant } from "../../test/harness/variant.ts";

export interface Trick extends Variant {
	/** The requests that the optimisation is for. */
	readonly requests: readonly string[];
}

export const trickList = { file: "bench/compare/tricks.ts", export: "tricks" };

export const tricks: readonly Trick[] = [
	{
		...variant(
			"await instead of continuations",
			"src/async/awaitable.ts",
			"after",
			() => async (value, next, context) => next(await value, context),
		),
		requests: ["list", "get"],
	},
	{
		...variant(
			"PRAGMA data_version instead of shared memory",
			"src/store/sqlite/files/wal-index.ts",
			"findWalIndex",
			() => () => undefined,
		),
		requests: ["list", "get"],
	},
	{
		...variant(
			"a read transaction for each read",
			"src/store/sqlite/requests/reads.ts",
			"shareSnapshots",
			() => () => ({ renew() {}, end() {} }),
		),
		requests: ["get"],
	},
	{
		...variant(
			"every URL parsed by the standard's parser",
			"src/http/target.ts",
			"splitUrl",
			() => (url) => {
				const path = url.replace(/^https?:\/\/[^/?#]*/, "");
				const target = URL.parse(`http://localhost${path}`);
				if (target === null) return { path: "", query: "" };
				return { path: target.pathname, query: target.search.slice(1) };
			},
		),
		requests: ["list", "get"],
	},
	{
		...variant(
			"every body parsed with a reviver",
			"src/domain/json.ts",
			"hasOnlyShortIntegers",
			() => () => false,
		),
		requests: ["add"],
	},
	{
		...variant(
			"every commit on the writer thread",
			"src/limits.ts",
			"slowCommitMs",
			() => 0,
		),
		requests: ["add"],
	},
];
