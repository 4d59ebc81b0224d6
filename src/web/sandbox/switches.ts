// The fault rules as switches. The sandbox forgets a rule that is used up or removed; the page keeps it switched off.
import type { Rule } from "./control.ts";

export interface Switch {
	/** As it is when it is switched on. */
	readonly rule: Rule;
	/** As the sandbox has it now, with what is left of it; undefined if it is off. */
	readonly left: Rule | undefined;
}

/** What the page knows, with what the sandbox has now. Rules of other programs come last. */
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

/** The rules that the sandbox is to have. */
export function toServed(switches: readonly Switch[]): readonly Rule[] {
	return switches.flatMap(({ left }) => (left === undefined ? [] : [left]));
}

/** Says what the rule does, whatever is left of it. */
export function toName({ times: _, skip: __, ...rule }: Rule): string {
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
