// What the elements of the page are given.
import type { Toasts } from "../console/parts/toasts.tsx";
import type { AccessKey } from "./key.ts";
import type { RuleField } from "./rule-fields.ts";
import type { State } from "./state.ts";

export interface Parts {
	readonly state: State;
	readonly accessKey: AccessKey;
	readonly toasts: Toasts;
	readonly fields: readonly RuleField[];
	/** A command that sends a request. */
	readonly example: string;
}
