// Fault rules: for which requests, how often, and what happens. Read from JSON, or from the header Sandbox-Fault.
import { toJson } from "../domain/json.ts";
import { closedObject, fromJsonText, list } from "../domain/object.ts";
import {
	count,
	decimal,
	formed,
	oneOf,
	onlyTrue,
	whole,
} from "../domain/scalar.ts";
import {
	either,
	optional,
	refuse,
	requireValid,
	type Schema,
	type Type,
	type ValueOf,
	withDefault,
	withRule,
} from "../domain/type.ts";
import { isObject, toUnknown } from "../domain/unknown.ts";
import type { Described } from "../interface/operation.ts";
import { maxFaultDelayMs } from "../limits.ts";

export const faultHeader = "Sandbox-Fault";
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** An operation of the service. */
export interface KnownOperation extends Described {
	readonly id: string;
	/** Of its interface. */
	readonly prefix: string;
}

export type Rules = ReturnType<typeof createRules>;
export type Rule = ValueOf<ReturnType<typeof toRuleType>>;
export type OwnReply = ValueOf<typeof reply>;
/** The part of a rule that says what happens. */
export type Fault = Pick<Rule, keyof typeof kinds>;

export function createRules(operations: readonly KnownOperation[]) {
	const members = toMembers(operations);
	const rule = toRuleType(members);
	const all = list(rule, 1_000);
	return {
		/** What the form needs to know of each member, in its order. */
		fields: Object.entries<Type>(members).map(([name, { schema }]) => ({
			name,
			schema,
			isKind: name in kinds,
			options: name === "operation" ? operations.map(toOption) : undefined,
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
			const given = text.startsWith("{") ? fromJsonText(text) : fromPairs(text);
			const read = rule.read(given, faultHeader, broken);
			requireValid(broken, "invalid_parameter");
			return read;
		},
	};
}

function toOption({ id, method, prefix, path }: KnownOperation) {
	return { value: id, text: `${id} — ${method} ${prefix}${path}` };
}

/** What the short form of the header takes. */
const short = {
	delay: optional(whole("Milliseconds to wait first.", 0, maxFaultDelayMs)),
	status: optional(whole("The status of an error of the service.", 400, 599)),
	drop: optional(
		oneOf(
			"Cuts the connection. `before`: the request is not done. `after-commit`: it is done, without a reply. `mid-body`: it is done, and half of the body is sent.",
			["before", "after-commit", "mid-body"],
		),
	),
};

const reply = withRule(
	closedObject(
		"",
		"A reply of your own, as JSON: `status` (200 to 599), `headers`, `body`.",
		{
			status: whole("Its status.", 200, 599),
			headers: optional(
				withRule(
					headersOf("Its headers."),
					(given) => !Object.keys(given).some((name) => framing.test(name)),
					"must not have Content-Length, Transfer-Encoding or Connection: the service sets them",
				),
			),
			body: optional(jsonOf({}, (_json): _json is unknown => true, "")),
		},
	),
	({ status, body }) => body === undefined || ![204, 205, 304].includes(status),
	"must have no body with status 204, 205 or 304",
);

const framing = /^(content-length|transfer-encoding|connection)$/i;

const kinds = {
	...short,
	reply: optional(reply),
	after: optional(
		onlyTrue("Does the request first, then sends `status` or `reply`."),
	),
};

function toMembers(operations: readonly KnownOperation[]) {
	const paths = operations.map(
		({ prefix, path }) =>
			new RegExp(`^${prefix}${path.replace(/\{\w+\}/, "[^/?#]+")}$`),
	);
	const isPath = (text: string) => paths.some((path) => path.test(text));
	return {
		operation: optional(
			oneOf(
				"Only requests for this operation; any of `/v1` by default.",
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
			withRule(
				headersOf("Only requests with these headers, as JSON."),
				(given) => !Object.values(given).some(Array.isArray),
				"must have one string for each header",
			),
		),
		skip: withDefault(count("Matching requests that pass first."), 0),
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
	count('Matching requests that then fail, or "always"; 1 by default.', 1),
	{ ...oneOf("", ["always"]), schema: { type: "string", const: "always" } },
	(value) => value === "always",
	'"always"',
);

function toRuleType(members: ReturnType<typeof toMembers>) {
	return withRule(
		closedObject("Rule", "A fault rule.", members),
		({ delay, status, reply, drop, after }) => {
			const ends = [status, reply, drop].filter((one) => one !== undefined);
			return (
				ends.length <= 1 &&
				(ends.length === 1 || delay !== undefined) &&
				(after === undefined || (ends.length === 1 && drop === undefined))
			);
		},
		"must have one of delay, status, reply, drop: delay also with another, and after only with status or reply",
	);
}

type GivenHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Names in any case. */
function headersOf(description: string): Type<GivenHeaders> {
	return jsonOf(
		{ type: "object", description },
		isHeaders,
		"must be an object with names of headers, and with strings or lists of strings of printable ASCII characters",
	);
}

function isHeaders(json: unknown): json is GivenHeaders {
	const isText = (value: unknown) =>
		typeof value === "string" && /^[ -~]*$/.test(value);
	return (
		isObject(json) &&
		Object.entries(json).every(
			([name, values]) =>
				/^[\w!#$%&'*+.^`|~-]+$/.test(name) && [values].flat().every(isText),
		)
	);
}

function jsonOf<Value>(
	schema: Schema,
	holds: (json: unknown) => json is Value,
	rule: string,
): Type<Value> {
	return {
		schema,
		read: (json, name, broken) =>
			holds(json) ? json : refuse(broken, name, rule),
		fromText: fromJsonText,
		write: toJson,
	};
}

/** The JSON of the short form. */
function fromPairs(text: string): object {
	const broken: string[] = [];
	const given = new Map<string, unknown>();
	const types = new Map(Object.entries<Type>(short));
	for (const pair of text.split(";").filter((one) => one.trim() !== "")) {
		const [name = "", ...rest] = pair.split("=").map((one) => one.trim());
		if (!types.has(name))
			broken.push(toUnknown(name, [...types.keys()], `${faultHeader}.`));
		if (given.has(name))
			broken.push(`${faultHeader}.${name} must be given once.`);
		given.set(name, types.get(name)?.fromText(rest.join("=")));
	}
	requireValid(broken, "invalid_parameter");
	return Object.fromEntries(given);
}
