// Reads fault rules from JSON, and one fault from the header Sandbox-Fault.
import { Failure } from "../domain/errors.ts";
import { type Members, readWhole, toMembers } from "../domain/members.ts";
import { type FaultStep, faultKinds } from "./fault-kinds.ts";
import { oneOf, type RuleValue, whole } from "./rule-values.ts";

export const faultHeader = "Sandbox-Fault";

/** In the order in which they act. */
export type Fault = readonly FaultStep[];

export interface Rule {
	readonly fault: Fault;
	/** Any operation of `/v1` if undefined. */
	readonly operation: string | undefined;
	/** How many requests it lets pass first. */
	readonly skip: number;
	/** How many requests it affects. */
	readonly times: number | "always";
	/** Probability for each request; 1 if undefined. */
	readonly probability: number | undefined;
}

/** The members of a rule besides its fault. */
export function toRuleValues(operationIds: readonly string[]) {
	return {
		operation: oneOf(
			"The operation that the rule is for; any operation of `/v1` by default.",
			operationIds,
		),
		skip: whole(
			"Lets this many matching requests pass first; 0 by default.",
			0,
		),
		times,
		probability,
	};
}

const times: RuleValue<number | "always"> = {
	schema: {
		description: 'How many requests then fail, or "always"; 1 by default.',
		oneOf: [
			{ type: "integer", minimum: 1 },
			{ type: "string", const: "always" },
		],
	},
	read(members, name) {
		if (members.get(name) === "always") return "always";
		const most = Number.MAX_SAFE_INTEGER;
		return readWhole(members, name, 1, most, '"always" or ');
	},
};

const probability: RuleValue<number> = {
	schema: {
		type: "number",
		minimum: 0,
		maximum: 1,
		description:
			"How likely the fault is for each request; 1 by default. The seed decides, so a run repeats.",
	},
	read(members, name) {
		const value = members.get(name);
		const number = typeof value === "bigint" ? Number(value) : value;
		if (typeof number === "number" && number >= 0 && number <= 1) return number;
		throw members.invalid(name, "must be a number from 0 to 1");
	},
};

/** Takes what `parseJson` returns. `served` are the operations that a rule may name. */
export function toRules(
	value: unknown,
	served: readonly string[],
): readonly Rule[] {
	if (!Array.isArray(value))
		throw new Failure("invalid_body", "The body must be an array of rules.");
	const values = toRuleValues(served);
	const names = [...Object.keys(values), ...kindNames];
	return value.map((one: unknown, index) => {
		const members = toMembers(one, names, `[${index}]`);
		const read = <Value>(name: string, { read }: RuleValue<Value>) =>
			members.has(name) ? read(members, name) : undefined;
		return {
			operation: read("operation", values.operation),
			skip: read("skip", values.skip) ?? 0,
			times: read("times", values.times) ?? 1,
			probability: read("probability", values.probability),
			fault: readFault(members),
		};
	});
}

/** The fault of one request, like `status=503; delay=300`. */
export function toHeaderFault(text: string): Fault {
	const pairs = text
		.split(";")
		.filter((pair) => pair.trim() !== "")
		.map((pair) => pair.split("=").map((part) => part.trim()));
	const members = toMembers(
		Object.fromEntries(pairs.map(([name, value]) => [name, toValue(value)])),
		kindNames,
		faultHeader,
		"invalid_parameter",
	);
	for (const [index, [name, , more]] of pairs.entries())
		if (more !== undefined || pairs.findIndex(([one]) => one === name) < index)
			throw members.invalid(name, "must be given once, as name=value");
	return readFault(members);
}

const kinds = Object.entries(faultKinds);
const kindNames = Object.keys(faultKinds);

/** The JSON value: `300`, `100-300` for a range, `null`, or text. */
function toValue(text: string | undefined): unknown {
	if (text === undefined) return undefined;
	if (text === "null") return null;
	if (/^\d+$/.test(text)) return BigInt(text);
	return /^\d+-\d+$/.test(text) ? text.split("-").map(BigInt) : text;
}

function readFault(members: Members): Fault {
	const given = kinds.filter(([name]) => members.has(name));
	if (given.length === 0) {
		const usable = kinds.filter(([, { needs }]) => !needs);
		throw members.invalid(
			undefined,
			`must have one of ${usable.map(([name]) => name).join(", ")}`,
		);
	}
	return given.map(([name, kind]) => {
		const { read, without = [], needs } = kind;
		const other = without.find(members.has);
		if (other !== undefined)
			throw members.invalid(name, `must not be given together with ${other}`);
		if (needs !== undefined && !members.has(needs))
			throw members.invalid(name, `must be given together with ${needs}`);
		return read(members, name);
	});
}

/** The members of a fault as they were given. */
export function toGiven(fault: Fault): Readonly<Record<string, unknown>> {
	return Object.fromEntries(fault.map(({ name, value }) => [name, value]));
}

/** As in the header. */
export function toText(fault: Fault): string {
	return fault
		.map(
			({ name, value }) =>
				`${name}=${Array.isArray(value) ? value.join("-") : value}`,
		)
		.join("; ");
}
