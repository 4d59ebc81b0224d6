// Puts a load on a server, by wrk where it is installed and else by autocannon.
import { isInstalled } from "../targets.ts";
import { loadByAutocannon } from "./autocannon.ts";
import type { Load, Outcome } from "./load.ts";
import { loadByWrk } from "./wrk.ts";

export const loadTool = isInstalled("wrk") ? "wrk" : "autocannon";

/** Rejects if the server did not answer as expected: such a load measures nothing. */
export function runLoad(load: Load): Promise<Outcome> {
	return loadTool === "wrk" ? loadByWrk(load) : loadByAutocannon(load);
}
