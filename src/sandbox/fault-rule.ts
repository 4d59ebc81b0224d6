// Fault rules: reads them from JSON, and one fault from the header Sandbox-Fault.
import type { ErrorCode } from "../domain/errors.ts";
import { closedObject, list } from "../domain/object.ts";
import { decimal, oneOf, whole } from "../domain/scalar.ts";
import {
	either,
	nullable,
	optional,
	requireValid,
	type Type,
	type ValueOf,
	type ValuesOf,
	withDefault,
} from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
import { maxFaultDelayMs } from "../limits.ts";

export const faultHeader = "Sandbox-Fault";

/** An operation of the service, as the sandbox needs to know it. */
export interface KnownOperation {
	readonly id: string;
	/** Of its interface. */
	readonly prefix: string;
	readonly method: string;
	readonly path: string;
	/** Of success. */
	readonly status: number;
	readonly errors: readonly ErrorCode[];
}

const kinds = {
	delay: optional(
		whole(
			"Milliseconds to wait before the request is done.",
			0,
			maxFaultDelayMs,
		),
	),
	status: optional(
		whole("The status of an error reply. The request is not done.", 400, 599),
	),
	retryAfter: optional(
		nullable(
			whole(
				"Retry-After of the error reply, in seconds; null leaves the header out. By default 1 with 429 and 503, none with others.",
				0,
				86_400,
			),
		),
	),
	body: optional(
		oneOf(
			"Body of the error reply in place of the Error: a web page, nothing, or text that is not JSON.",
			["html", "empty", "garbage"],
		),
	),
	drop: optional(
		oneOf(
			"Cuts the connection. `before`: the request is not done. `after-commit`: the request is done and stored, but the client gets no reply. `mid-body`: the client gets half of the reply.",
			["before", "after-commit", "mid-body"],
		),
	),
};

/** At least one of `delay`, `status` and `drop` is given. */
export type Fault = ValuesOf<typeof kinds>;

/** The members that a member cannot be combined with, and the one that it requires. */
const relations: Readonly<Record<string, Relation>> = {
	status: { without: "drop" },
	drop: { without: "status" },
	retryAfter: { needs: "status" },
	body: { needs: "status" },
};

interface Relation {
	readonly without?: string;
	readonly needs?: string;
}

export type Rule = ValueOf<ReturnType<typeof toRuleType>>;

function toMembers(operations: readonly KnownOperation[]) {
	return {
		operation: optional(
			oneOf(
				"The operation that the rule is for; any operation of `/v1` by default.",
				operations.map(({ id }) => id),
			),
		),
		skip: withDefault(
			whole(
				"Lets this many matching requests pass first; 0 by default.",
				0,
				Number.MAX_SAFE_INTEGER,
			),
			0,
		),
		times: withDefault(times, 1),
		probability: optional(
			decimal(
				"How likely the fault is for each request; 1 by default. The seed decides, so a run repeats.",
				0,
				1,
			),
		),
		...kinds,
	};
}

const always = oneOf("", ["always"]);

const times = either<number, "always">(
	whole(
		'How many requests then fail, or "always"; 1 by default.',
		1,
		Number.MAX_SAFE_INTEGER,
	),
	{ ...always, schema: { type: "string", const: "always" } },
	(value) => value === "always",
	'"always"',
);

/** The types of a list of rules, and what the form needs to know of each member, in its order. */
export function createRules(operations: readonly KnownOperation[]) {
	const members = toMembers(operations);
	const groups = [...Map.groupBy(operations, ({ prefix }) => prefix)].map(
		([label, own]) => ({ label, options: own.map(toOption) }),
	);
	return {
		rules: list(toRuleType(members), maxRules),
		fields: Object.entries<Type>(members).map(([name, { schema }]) => ({
			name,
			schema,
			...relations[name],
			isKind: name in kinds,
			groups: name === "operation" ? groups : undefined,
		})),
	};
}

const maxRules = 1_000;

function toOption({ id, method, prefix, path }: KnownOperation) {
	return { value: id, text: `${id} — ${method} ${prefix}${path}` };
}

function toRuleType(members: ReturnType<typeof toMembers>) {
	return withRelations(closedObject("Rule", "A fault rule.", members));
}

const faultType = withRelations(closedObject("Fault", "A fault.", kinds));

function withRelations<Value>(type: Type<Value>): Type<Value> {
	return {
		...type,
		read(json, name, broken) {
			const value = type.read(json, name, broken);
			if (!isObject(json)) return value;
			for (const [member, { without, needs }] of Object.entries(relations)) {
				const subject = `${name}.${member} must`;
				if (!(member in json)) continue;
				if (without !== undefined && without in json)
					broken.push(`${subject} not be given together with ${without}.`);
				if (needs !== undefined && !(needs in json))
					broken.push(`${subject} be given together with ${needs}.`);
			}
			if (!Object.keys(kinds).some((kind) => kind in json))
				broken.push(`${name} must have one of delay, status, drop.`);
			return value;
		},
	};
}

/** The fault of one request, like `status=503; delay=300`. */
export function toHeaderFault(text: string): Fault {
	const broken: string[] = [];
	const given: Record<string, unknown> = {};
	for (const pair of text.split(";").filter((one) => one.trim() !== "")) {
		const [name = "", value = "", more] = pair
			.split("=")
			.map((one) => one.trim());
		if (more !== undefined || Object.hasOwn(given, name))
			broken.push(`${faultHeader}.${name} must be given once, as name=value.`);
		const types: Readonly<Record<string, Type>> = kinds;
		given[name] =
			value === "null" ? null : (types[name]?.fromText(value) ?? value);
	}
	const fault = faultType.read(given, faultHeader, broken);
	requireValid(broken, "invalid_parameter");
	return fault;
}

/** The part of a rule that is a fault. */
export function toFault({
	delay,
	status,
	retryAfter,
	body,
	drop,
}: Rule): Fault {
	return { delay, status, retryAfter, body, drop };
}

/** As in the header. */
export function toText(fault: Fault): string {
	return Object.entries(fault)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${value}`)
		.join("; ");
}
