// The fault rules as switches. The sandbox forgets a rule that is used up or removed; the page keeps it switched off.
import { toJson } from "../../domain/json.ts";

/** The members of a rule, or of a fault. */
export type Rule = Readonly<Record<string, unknown>>;

export interface Switch {
	/** The rule when switched on. */
	readonly rule: Rule;
	/** What is left of it in the sandbox; undefined if it is off. */
	readonly left?: Rule | undefined;
}

/** Merges the page's switches with the sandbox's rules. Rules of other programs come last. */
export function toSwitches(
	known: readonly Switch[],
	served: readonly Rule[],
): readonly Switch[] {
	const others = [...served];
	const own = known.map(({ rule }) => {
		const index = others.findIndex((one) => toName(one) === toName(rule));
		const [left] = index === -1 ? [] : others.splice(index, 1);
		return { rule, left };
	});
	return [...own, ...others.map(switchOn)];
}

export function switchOn(rule: Rule): Switch {
	return { rule, left: rule };
}

/** The rules to send to the sandbox. */
export function toServed(switches: readonly Switch[]): readonly Rule[] {
	return switches.flatMap(({ left }) => (left === undefined ? [] : [left]));
}

/** Identifies a rule, whatever is left of it. */
export function toName({ times: _, skip: __, ...rule }: Rule): string {
	return toJson(Object.entries(rule).sort());
}

/** A fault as the header Sandbox-Fault has it. */
export function toFaultText(fault: Rule): string {
	return Object.entries(fault)
		.map(([name, value]) =>
			typeof value === "object" && value !== null
				? `${name}=${toJson(value)}`
				: `${name}=${value}`,
		)
		.join("; ");
}
