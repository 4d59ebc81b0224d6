// Fault rules: for which requests, how often, and what happens. Read from JSON, or from the header Sandbox-Fault.
import type { ErrorCode } from "../domain/errors.ts";
import { toJson } from "../domain/json.ts";
import { closedObject, fromJsonText, list } from "../domain/object.ts";
import { decimal, formed, oneOf, onlyTrue, whole } from "../domain/scalar.ts";
import {
	either,
	optional,
	refuse,
	requireValid,
	type Type,
	type ValueOf,
	withDefault,
	withRule,
} from "../domain/type.ts";
import { isObject } from "../domain/unknown.ts";
import { maxFaultDelayMs } from "../limits.ts";

export const faultHeader = "Sandbox-Fault";
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

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

/** What happens, in the short form of the header. */
const short = {
	delay: optional(
		whole(
			"Milliseconds to wait before the request is done.",
			0,
			maxFaultDelayMs,
		),
	),
	status: optional(whole("The status of an error of the service.", 400, 599)),
	drop: optional(
		oneOf(
			"Cuts the connection. `before`: the request is not done. `after-commit`: it is done, without a reply. `mid-body`: it is done, and half of the body is sent.",
			["before", "after-commit", "mid-body"],
		),
	),
};

const replyType = closedObject(
	"",
	"A reply of your own, as JSON: `status` (200 to 599), `headers`, `body`.",
	{
		status: whole("Its status.", 200, 599),
		headers: optional(headersOf("Its headers.", true)),
		body: optional<Type>({
			schema: {},
			read: (json) => json,
			fromText: fromJsonText,
			write: toJson,
		}),
	},
);

const kinds = {
	...short,
	reply: optional(
		withRule(
			replyType,
			({ status, body }) =>
				body === undefined || ![204, 205, 304].includes(status),
			"must have no body with status 204, 205 or 304",
		),
	),
	after: optional(
		onlyTrue("Does the request first, then sends `status` or `reply`."),
	),
};

export type OwnReply = ValueOf<typeof replyType>;
export type Rule = ValueOf<ReturnType<typeof toRuleType>>;
export type Rules = ReturnType<typeof createRules>;
/** The part of a rule that says what happens. */
export type Fault = Pick<Rule, keyof typeof kinds>;

/** The types of rules, and what the form needs to know of each member, in its order. */
export function createRules(operations: readonly KnownOperation[]) {
	const members = toMembers(operations);
	const rule = toRuleType(members);
	const all = list(rule, 1_000);
	const groups = [...Map.groupBy(operations, ({ prefix }) => prefix)].map(
		([label, own]) => ({ label, options: own.map(toOption) }),
	);
	return {
		all,
		fields: Object.entries<Type>(members).map(([name, { schema }]) => ({
			name,
			schema,
			isKind: name in kinds,
			groups: name === "operation" ? groups : undefined,
		})),
		/** Throws with the broken rules. */
		read(json: unknown, name = ""): readonly Rule[] {
			const broken: string[] = [];
			const rules = all.read(json, name, broken);
			requireValid(broken, "invalid_body");
			return rules;
		},
		/** Of `status=503; delay=300`, or of a rule as JSON. */
		readHeader(text: string): Rule {
			const broken: string[] = [];
			const isJson = text.startsWith("{");
			const given = isJson ? rule.fromText(text) : fromPairs(text, broken);
			if (!isJson) shortType.read(given, faultHeader, broken);
			requireValid(broken, "invalid_parameter");
			const read = rule.read(given, faultHeader, broken);
			requireValid(broken, "invalid_parameter");
			return read;
		},
	};
}

function toMembers(operations: readonly KnownOperation[]) {
	const paths = operations.map(
		({ prefix, path }) =>
			new RegExp(`^${prefix}${path.replace(/\{\w+\}/, "[^/?#]+")}$`),
	);
	const isPath = (text: string) => paths.some((path) => path.test(text));
	return {
		operation: optional(
			oneOf(
				"The operation that the rule is for; any operation of `/v1` by default.",
				operations.map(({ id }) => id),
			),
		),
		path: optional(
			formed(
				"Only requests with this path, as sent, without the query.",
				{ test: isPath },
				"must be the path of an operation, without a query",
				{},
			),
		),
		method: optional(oneOf("Only requests with this method.", methods)),
		header: optional(
			headersOf("Only requests with these headers, as JSON.", false),
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
				"How likely the fault is for each matching request; 1 by default. The seed decides, so a run repeats.",
				0,
				1,
			),
		),
		...kinds,
	};
}

const times = either<number, "always">(
	whole(
		'How many matching requests then fail, or "always"; 1 by default.',
		1,
		Number.MAX_SAFE_INTEGER,
	),
	{ ...oneOf("", ["always"]), schema: { type: "string", const: "always" } },
	(value) => value === "always",
	'"always"',
);

function toOption({ id, method, prefix, path }: KnownOperation) {
	return { value: id, text: `${id} — ${method} ${prefix}${path}` };
}

function toRuleType(members: ReturnType<typeof toMembers>) {
	return withRelations(closedObject("Rule", "A fault rule.", members));
}

const shortType = withRelations(closedObject("Fault", "A fault.", short));

/** Names in any case. */
function headersOf(
	description: string,
	takesLists: boolean,
): Type<Readonly<Record<string, string | readonly string[]>>> {
	const rule = `must be an object with names of headers, and with ${takesLists ? "strings or lists of strings" : "strings"} of printable ASCII characters`;
	const isText = (value: unknown) =>
		typeof value === "string" && /^[ -~]*$/.test(value);
	const isValue = (value: unknown) =>
		isText(value) ||
		(takesLists && Array.isArray(value) && value.every(isText));
	return {
		schema: { type: "object", description },
		read(json, name, broken) {
			if (!isObject(json)) return refuse(broken, name, rule);
			for (const [header, value] of Object.entries(json))
				if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || !isValue(value))
					return refuse(broken, name, rule);
				else if (takesLists && framing.test(header))
					refuse(broken, name, `must not have ${header}: the service sets it`);
			return json as Readonly<Record<string, string | readonly string[]>>;
		},
		fromText: fromJsonText,
		write: toJson,
	};
}

const framing = /^(content-length|transfer-encoding|connection)$/i;

/** What earlier versions had. */
const gone: Readonly<Record<string, string>> = {
	retryAfter: 'reply: {"status", "headers"}',
	body: 'reply: {"status", "body"}',
	events: "reply",
	bytesPerSecond: "delay",
};

function withRelations<Value>(type: Type<Value>): Type<Value> {
	return {
		...type,
		read(json, name, broken) {
			if (!isObject(json)) return type.read(json, name, broken);
			const { length } = broken;
			for (const [member, hint] of Object.entries(gone))
				if (member in json)
					broken.push(`${name}.${member} is gone; use ${hint}.`);
			if (broken.length > length) return undefined as never;
			const value = type.read(json, name, broken);
			const [one, other] = ["status", "reply", "drop"].filter(
				(member) => member in json,
			);
			if (other !== undefined)
				refuse(broken, `${name}.${one}`, `must not be given with ${other}`);
			if (one === undefined && !("delay" in json))
				refuse(broken, name, "must have one of delay, status, reply, drop");
			if ("after" in json && one !== "status" && one !== "reply")
				refuse(broken, `${name}.after`, "must be given with status or reply");
			return value;
		},
	};
}

/** Of the text in the header. */
function fromPairs(text: string, broken: string[]): Record<string, unknown> {
	const given: Record<string, unknown> = {};
	const types: Readonly<Record<string, Type>> = short;
	for (const pair of text.split(";").filter((one) => one.trim() !== "")) {
		const [name = "", value = "", more] = pair
			.split("=")
			.map((one) => one.trim());
		if (more !== undefined || Object.hasOwn(given, name))
			broken.push(`${faultHeader}.${name} must be given once, as name=value.`);
		given[name] = types[name]?.fromText(value) ?? value;
	}
	return given;
}

/** For the log. */
export function toText({ reply, ...fault }: Fault): string {
	return Object.entries({ ...fault, reply: reply?.status })
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${value}`)
		.join("; ");
}
