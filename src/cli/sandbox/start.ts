// What the flags say about the start of a sandbox, for `petstore sandbox` and for `petstore serve --sandbox`.
import { OperatorError } from "../../contract/errors.ts";
import { type DemoStart, defaultStart } from "../../sandbox/demo-animals.ts";
import type { DemoFlags } from "../options.ts";

export function toStart({
	animals = defaultStart.animals,
	seed = defaultStart.seed,
}: DemoFlags): DemoStart {
	return { animals, seed };
}

/** Each worker would have animals, faults and requests of its own. */
export function requireSingleWorker(workers: number): void {
	if (workers !== 1)
		throw new OperatorError(
			"The sandbox runs in one process, since its animals are in memory; leave --workers out.",
			2,
		);
}
