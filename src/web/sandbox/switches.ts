// The fault rules as switches. The sandbox forgets a rule that is used up or removed; the page keeps it switched off.
import type { Rule } from "./control.ts";

export interface Switch {
	/** As it is when it is switched on. */
	readonly rule: Rule;
	/** What is left of its `times`; undefined if it is off. */
	readonly left: unknown;
}

/** What the page knows, with what the sandbox has now. Rules of other programs come last. */
export function toSwitches(
	known: readonly Switch[],
	served: readonly Rule[],
): readonly Switch[] {
	const others = [...served];
	const own = known.map(({ rule }) => {
		const index = others.findIndex((one) => toName(one) === toName(rule));
		const [found] = index === -1 ? [] : others.splice(index, 1);
		return { rule, left: found?.times };
	});
	return [...own, ...others.map(switchOn)];
}

export function switchOn(rule: Rule): Switch {
	return { rule, left: rule.times ?? 1 };
}

/** The rules that the sandbox is to have. */
export function toServed(switches: readonly Switch[]): readonly Rule[] {
	return switches
		.filter(({ left }) => left !== undefined)
		.map(({ rule, left }) => ({ ...rule, times: left }));
}

/** Says what the rule does, whatever is left of it. */
export function toName({ times: _, ...rule }: Rule): string {
	return JSON.stringify(Object.entries(rule).sort());
}

/** A fault as the header Sandbox-Fault has it. */
export function toFaultText(fault: Rule): string {
	return Object.entries(fault)
		.map(
			([name, value]) =>
				`${name}=${Array.isArray(value) ? value.join("-") : value}`,
		)
		.join("; ");
}
