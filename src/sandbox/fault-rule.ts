// Reads faults from JSON rules and from the header Sandbox-Fault.
import { type OperationId, operations } from "../contract/v1/operations.ts";
import { type ErrorCode, errorStatus, Failure } from "../domain/errors.ts";
import { type Members, readWhole, toMembers } from "../domain/members.ts";
import { maxFaultDelayMs } from "../limits.ts";

export const faultHeader = "Sandbox-Fault";

export interface Rule {
	/** Any operation if undefined. */
	readonly operation: OperationId | undefined;
	/** How many requests it applies to. */
	readonly times: number | "always";
	/** How long the request waits first, in milliseconds. */
	readonly delay: number | undefined;
	/** The status of an error reply. The request is not done. */
	readonly status: number | undefined;
	/** Cuts the connection: with `before` the request is not done, with `after-commit` it is. */
	readonly drop: "before" | "after-commit" | undefined;
}

export type Fault = Pick<Rule, (typeof faultMembers)[number]>;

/** Takes what `parseJson` returns. `served` are the operations that a rule may name. */
export function toRules(
	value: unknown,
	served: readonly OperationId[],
): readonly Rule[] {
	if (!Array.isArray(value))
		throw new Failure("invalid_body", "The body must be an array of rules.");
	return value.map((one: unknown, index) => {
		const members = toMembers(one, ruleMembers, {
			code: "invalid_body",
			prefix: `[${index}]`,
		});
		const operation = readOneOf(members, "operation", served);
		return {
			operation,
			times: readTimes(members),
			...readFault(members, operation === undefined ? served : [operation]),
		};
	});
}

/** The fault of one request for this operation, like `status=503; delay=300`. */
export function toHeaderFault(text: string, operation: OperationId): Fault {
	const pairs = text
		.split(";")
		.filter((pair) => pair.trim() !== "")
		.map((pair) => pair.split("=").map((part) => part.trim()));
	const members = toMembers(
		Object.fromEntries(pairs.map(([name, value]) => [name, toValue(value)])),
		faultMembers,
		{ code: "invalid_parameter", prefix: faultHeader },
	);
	for (const [index, [name, , more]] of pairs.entries())
		if (more !== undefined || pairs.findIndex(([one]) => one === name) < index)
			throw members.invalid(name, "must be given once, as name=value");
	return readFault(members, [operation]);
}

export const faultMembers = ["delay", "status", "drop"] as const;
const ruleMembers = ["operation", "times", ...faultMembers];

function toValue(text: string | undefined): unknown {
	return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : text;
}

function readFault(members: Members, fitting: readonly OperationId[]): Fault {
	const delay = members.has("delay")
		? readWhole(members, "delay", 0, maxFaultDelayMs)
		: undefined;
	const status = readStatus(members, fitting);
	const drop = readOneOf(members, "drop", ["before", "after-commit"]);
	if (status !== undefined && drop !== undefined)
		throw members.invalid("status", "cannot be combined with drop");
	if (delay === undefined && status === undefined && drop === undefined)
		throw members.invalid(undefined, "must have delay, status or drop");
	return { delay, status, drop };
}

function readOneOf<const Value extends string>(
	members: Members,
	name: string,
	values: readonly Value[],
): Value | undefined {
	if (!members.has(name)) return undefined;
	const value = values.find((one) => one === members.get(name));
	if (value !== undefined) return value;
	throw members.invalid(name, `must be one of ${values.join(", ")}`);
}

function readTimes(members: Members): number | "always" {
	if (!members.has("times")) return 1;
	if (members.get("times") === "always") return "always";
	return readWhole(
		members,
		"times",
		1,
		Number.MAX_SAFE_INTEGER,
		'"always" or ',
	);
}

function readStatus(
	members: Members,
	fitting: readonly OperationId[],
): number | undefined {
	if (!members.has("status")) return undefined;
	const declared = new Set(fitting.flatMap((id) => [...codesOf(id).keys()]));
	const status = Number(members.get("status"));
	if (typeof members.get("status") === "bigint" && declared.has(status))
		return status;
	const known = [...declared].toSorted((one, other) => one - other).join(", ");
	throw members.invalid(
		"status",
		`must be an error that ${fitting.join(", ")} can answer: ${known}`,
	);
}

/** The error codes of the operation by status: the first in the contract, if several have the same status. */
export function codesOf(id: OperationId): ReadonlyMap<number, ErrorCode> {
	const { errors, furtherErrors } = operations[id];
	const codes = [...errors, ...furtherErrors].toReversed();
	return new Map(codes.map((code) => [errorStatus[code], code]));
}
