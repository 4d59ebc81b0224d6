// Reads a fault, and the rule that says to which requests it applies, from JSON and from the header Sandbox-Fault.
import { Failure } from "../domain/errors.ts";
import { type Members, readWhole, toMembers } from "../domain/members.ts";
import { faultHeader } from "./access.ts";
import {
	type FaultKind,
	type FaultStep,
	faultKinds,
	readOneOf,
} from "./fault-kinds.ts";

/** In the order in which they act. */
export type Fault = readonly FaultStep[];

export interface Rule {
	readonly fault: Fault;
	/** Any operation of `/v1` if undefined. */
	readonly operation: string | undefined;
	/** How many requests it lets pass first. */
	readonly skip: number;
	/** How many requests it is for. */
	readonly times: number | "always";
	/** How likely it is for each of them; always if undefined. */
	readonly probability: number | undefined;
}

/** Takes what `parseJson` returns. `served` are the operations that a rule may name. */
export function toRules(
	value: unknown,
	served: readonly string[],
): readonly Rule[] {
	if (!Array.isArray(value))
		throw new Failure("invalid_body", "The body must be an array of rules.");
	return value.map((one: unknown, index) => {
		const members = toMembers(one, ruleMembers, `[${index}]`);
		const operation = members.has("operation")
			? readOneOf(members, "operation", served)
			: undefined;
		return {
			operation,
			skip: members.has("skip")
				? readWhole(members, "skip", 0, Number.MAX_SAFE_INTEGER)
				: 0,
			times: readTimes(members),
			probability: readProbability(members),
			fault: readFault(members, operation),
		};
	});
}

/** The fault of one request for this operation, like `status=503; delay=300`. */
export function toHeaderFault(text: string, operation: string): Fault {
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
	return readFault(members, operation);
}

const kinds = Object.entries(faultKinds);
const kindNames = kinds.map(([name]) => name);
export const ruleMembers = [
	...["operation", "skip", "times", "probability"],
	...kindNames,
];

/** As JSON would have it: `300`, `100-300` for a range, `null`, or text. */
function toValue(text: string | undefined): unknown {
	if (text === undefined) return undefined;
	if (text === "null") return null;
	if (/^\d+$/.test(text)) return BigInt(text);
	return /^\d+-\d+$/.test(text) ? text.split("-").map(BigInt) : text;
}

function readFault(members: Members, operation: string | undefined): Fault {
	const given = kinds.filter(([name]) => members.has(name));
	const isFor = ({ only }: FaultKind) =>
		only === undefined || only.operation === operation;
	if (given.length === 0) {
		const usable = kinds.filter(([, kind]) => !kind.needs && isFor(kind));
		throw members.invalid(
			undefined,
			`must have one of ${usable.map(([name]) => name).join(", ")}`,
		);
	}
	return given.map(([name, kind]) => {
		const { read, without = [], needs, only } = kind;
		const other = without.find(members.has);
		if (other !== undefined)
			throw members.invalid(name, `must not be given together with ${other}`);
		if (needs !== undefined && !members.has(needs))
			throw members.invalid(name, `must be given together with ${needs}`);
		if (!isFor(kind))
			throw members.invalid(name, `is only for ${only?.operation}`);
		return read(members, name);
	});
}

/** The members of a fault as they were given. */
export function toGiven(fault: Fault): Readonly<Record<string, unknown>> {
	return Object.fromEntries(fault.map(({ name, value }) => [name, value]));
}

/** As the header has it. */
export function toText(fault: Fault): string {
	return fault
		.map(
			({ name, value }) =>
				`${name}=${Array.isArray(value) ? value.join("-") : value}`,
		)
		.join("; ");
}

function readTimes(members: Members): number | "always" {
	if (!members.has("times")) return 1;
	if (members.get("times") === "always") return "always";
	const most = Number.MAX_SAFE_INTEGER;
	return readWhole(members, "times", 1, most, '"always" or ');
}

function readProbability(members: Members): number | undefined {
	if (!members.has("probability")) return undefined;
	const value = members.get("probability");
	const number = typeof value === "bigint" ? Number(value) : value;
	if (typeof number === "number" && number >= 0 && number <= 1) return number;
	throw members.invalid("probability", "must be a number from 0 to 1");
}
