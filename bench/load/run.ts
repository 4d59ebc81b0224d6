// Sends a load with wrk, or with autocannon where wrk is not installed.
import { isInstalled } from "../machine/programs.ts";
import { runAutocannon } from "./autocannon.ts";
import type { Load, Outcome } from "./load.ts";
import { runWrk } from "./wrk.ts";

export const loadGenerator = isInstalled("wrk") ? "wrk" : "autocannon";

/** Rejects if the replies were not as expected, because then the figures mean nothing. */
export function runLoad(load: Load): Promise<Outcome> {
	return loadGenerator === "wrk" ? runWrk(load) : runAutocannon(load);
}
