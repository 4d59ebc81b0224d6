// One subject of the operator interface: animals, keys, sessions, usage or status. interface.ts puts the parts together.
import type { Interface } from "../interface.ts";

export type Part<Id extends string> = Pick<
	Interface<Id>,
	"operations" | "schemas" | "examples" | "tags"
>;
