// Fault rules: reads them from JSON, and one fault from the header Sandbox-Fault. Each member of a rule has a schema, for the form of the
// page, and a reader with the same limits.

import type { Schema } from "../contract/schemas.ts";
import { Failure } from "../domain/errors.ts";
import { type Members, readWhole, toMembers } from "../domain/members.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { operator } from "../operator/interface.ts";
import { v1 } from "../v1/interface.ts";

export const faultHeader = "Sandbox-Fault";

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

/** At least one of `delay`, `status` and `drop` is given. */
export type Fault = {
	readonly [Name in keyof typeof kinds]:
		| ReturnType<(typeof kinds)[Name]["read"]>
		| undefined;
};

interface Member<Value> {
	readonly schema: Schema;
	/** Throws if the member is wrong. */
	readonly read: (members: Members, name: string) => Value;
	/** The members that it cannot be combined with. */
	readonly without?: readonly string[];
	/** The member that it requires. */
	readonly needs?: string;
}

const maxRetryAfter = 86_400;

const kinds = {
	delay: whole(
		"Milliseconds to wait before the request is done.",
		0,
		maxFaultDelayMs,
	),
	status: {
		...whole(
			"The status of an error reply. The request is not done.",
			400,
			599,
		),
		without: ["drop"],
	},
	retryAfter: {
		schema: {
			type: ["integer", "null"],
			minimum: 0,
			maximum: maxRetryAfter,
			description:
				"Retry-After of the error reply, in seconds; null leaves the header out. By default 1 with 429 and 503, none with others.",
		},
		read: (members: Members, name: string) =>
			members.get(name) === null
				? null
				: readWhole(members, name, 0, maxRetryAfter, "null or "),
		needs: "status",
	},
	body: {
		...oneOf(
			"Body of the error reply in place of the Error: a web page, nothing, or text that is not JSON.",
			["html", "empty", "garbage"],
		),
		needs: "status",
	},
	drop: {
		...oneOf(
			"Cuts the connection. `before`: the request is not done. `after-commit`: the request is done and stored, but the client gets no reply. `mid-body`: the client gets half of the reply.",
			["before", "after-commit", "mid-body"],
		),
		without: ["status"],
	},
} satisfies Record<string, Member<unknown>>;

/** The members of a rule besides its fault. */
function toFilters(operationIds: readonly string[]) {
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

const times: Member<number | "always"> = {
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

const probability: Member<number> = {
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

/** Without a maximum, any safe integer. */
function whole(
	description: string,
	minimum: number,
	maximum?: number,
): Member<number> {
	const range = maximum === undefined ? { minimum } : { minimum, maximum };
	return {
		schema: { type: "integer", ...range, description },
		read: (members, name) =>
			readWhole(members, name, minimum, maximum ?? Number.MAX_SAFE_INTEGER),
	};
}

function oneOf<const Value extends string>(
	description: string,
	values: readonly Value[],
): Member<Value> {
	return {
		schema: { type: "string", enum: values, description },
		read(members, name) {
			const value = values.find((one) => one === members.get(name));
			if (value !== undefined) return value;
			throw members.invalid(name, `must be one of ${values.join(", ")}`);
		},
	};
}

/** Takes what `parseJson` returns. `served` are the operations that a rule may name. */
export function toRules(
	value: unknown,
	served: readonly string[],
): readonly Rule[] {
	if (!Array.isArray(value))
		throw new Failure("invalid_body", "The body must be an array of rules.");
	const filters = toFilters(served);
	const names = [...Object.keys(filters), ...Object.keys(kinds)];
	return value.map((one: unknown, index) => {
		const members = toMembers(one, names, `[${index}]`);
		return {
			operation: read(members, "operation", filters.operation),
			skip: read(members, "skip", filters.skip) ?? 0,
			times: read(members, "times", filters.times) ?? 1,
			probability: read(members, "probability", filters.probability),
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
		Object.keys(kinds),
		faultHeader,
		"invalid_parameter",
	);
	for (const [index, [name, , more]] of pairs.entries())
		if (more !== undefined || pairs.findIndex(([one]) => one === name) < index)
			throw members.invalid(name, "must be given once, as name=value");
	return readFault(members);
}

/** The JSON value: a number, `null`, or text. */
function toValue(text: string | undefined): unknown {
	if (text === "null") return null;
	return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : text;
}

function readFault(members: Members): Fault {
	if (!["delay", "status", "drop", "retryAfter", "body"].some(members.has))
		throw members.invalid(undefined, "must have one of delay, status, drop");
	return {
		delay: read(members, "delay", kinds.delay),
		status: read(members, "status", kinds.status),
		retryAfter: read(members, "retryAfter", kinds.retryAfter),
		body: read(members, "body", kinds.body),
		drop: read(members, "drop", kinds.drop),
	};
}

function read<Value>(
	members: Members,
	name: string,
	{ read, without = [], needs }: Member<Value>,
): Value | undefined {
	if (!members.has(name)) return undefined;
	const other = without.find(members.has);
	if (other !== undefined)
		throw members.invalid(name, `must not be given together with ${other}`);
	if (needs !== undefined && !members.has(needs))
		throw members.invalid(name, `must be given together with ${needs}`);
	return read(members, name);
}

/** As in the header. */
export function toText(fault: Fault): string {
	return Object.entries(fault)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${value}`)
		.join("; ");
}

/** The operations of both interfaces, to choose from in the form. */
const operationGroups = [v1, operator].map(({ prefix, operations }) => ({
	label: prefix,
	options: Object.entries(operations).map(([value, { method, path }]) => ({
		value,
		text: `${value} — ${method} ${prefix}${path}`,
	})),
}));

/** What the form needs to know of each member of a rule, in its order. */
export const ruleFields = Object.entries<Member<unknown>>({
	...toFilters([]),
	...kinds,
}).map(([name, { read: _, ...member }]) => ({
	name,
	...member,
	isKind: name in kinds,
	groups: name === "operation" ? operationGroups : undefined,
}));
