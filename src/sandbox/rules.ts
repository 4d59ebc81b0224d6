// Fault rules: for which requests, how often, and what happens. Read from JSON, or from the header Sandbox-Fault.
import { isObject } from "../domain/types/json.ts";
import { closedObject, fromJsonText, list } from "../domain/types/object.ts";
import {
	count,
	decimal,
	formed,
	oneOf,
	onlyTrue,
	whole,
} from "../domain/types/scalar.ts";
import {
	either,
	optional,
	refuse,
	requireValid,
	type Type,
	type ValueOf,
	type ValuesOf,
	withDefault,
	withRule,
} from "../domain/types/type.ts";
import { operationsIn } from "../interface/operation.ts";
import { toJson } from "../json.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { operator } from "../operator/interface.ts";
import type { FaultRule } from "../testing/control.ts";
import { v1 } from "../v1/interface.ts";

export const faultHeader = "Sandbox-Fault";
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Those of the service, with what matches their paths. */
export const operations = [v1, operator].flatMap((described) =>
	operationsIn(described).map(({ id, operation }) => {
		const { prefix } = described;
		const path = operation.path.replace(/\{\w+\}/, "[^/?#]+");
		return { ...operation, id, prefix, form: new RegExp(`^${prefix}${path}$`) };
	}),
);
export type KnownOperation = (typeof operations)[number];

const ids = operations.map(({ id }) => id);
/** One operation of the service. */
export const operationOf = (description: string) => oneOf(description, ids);

export type Rule = Partial<ValueOf<typeof ruleType>>;
export type OwnReply = ValueOf<typeof reply>;
/** The part of a rule that says what happens. */
export type Fault = Partial<ValuesOf<typeof kinds>>;

/**
 * Of `status=503; delay=300`, which only says what happens, or of a rule as JSON. Without an operation it is for that of the request, also
 * one for operators.
 */
export function readHeader(text: string, id: string): Rule {
	const broken: string[] = [];
	const rule: Rule = text.startsWith("{")
		? ruleType.read(fromJsonText(text), faultHeader, broken)
		: faultType.read(fromPairs(text), faultHeader, broken);
	requireValid(broken, "invalid_parameter");
	return { ...rule, operation: rule.operation ?? id };
}

function fromPairs(text: string): object {
	const pairs = text.split(";").filter((pair) => pair.trim() !== "");
	return Object.fromEntries(
		pairs.map((pair) => {
			const [name = "", ...rest] = pair.split("=").map((one) => one.trim());
			return [name, fromJsonText(rest.join("="))];
		}),
	);
}

/** What the form of the page needs to know of each member, in its order. */
export function toRuleFields() {
	return Object.entries<Type>(members).map(([name, { schema }]) => ({
		name,
		schema,
		isKind: name in kinds,
	}));
}

type GivenHeaders = Readonly<Record<string, string | readonly string[]>>;

const anyJson = {
	schema: {},
	read: (json: unknown) => json,
	fromText: fromJsonText,
	write: toJson,
};

/** Names in any case. The service sets those that frame a body. */
const headersOf = (description: string): Type<GivenHeaders> => ({
	...anyJson,
	schema: { type: "object", description },
	read: (json, name, broken) =>
		isHeaders(json)
			? json
			: refuse(
					broken,
					name,
					"must be an object with names of headers except Content-Length, Transfer-Encoding and Connection, and with strings or lists of strings of printable ASCII characters",
				),
});

function isHeaders(json: unknown): json is GivenHeaders {
	const isText = (value: unknown) =>
		typeof value === "string" && /^[ -~]*$/.test(value);
	return (
		isObject(json) &&
		Object.entries(json).every(
			([name, values]) =>
				headerName.test(name) && [values].flat().every(isText),
		)
	);
}

const headerName =
	/^(?!(content-length|transfer-encoding|connection)$)[\w!#$%&'*+.^`|~-]+$/i;

const reply = withRule(
	closedObject(
		"",
		"A reply of your own, as JSON: `status` (200 to 599), `headers`, `body`.",
		{
			status: whole("Its status.", 200, 599),
			headers: optional(headersOf("Its headers.")),
			body: optional(anyJson),
		},
	),
	({ status, body }) => body === undefined || ![204, 205, 304].includes(status),
	"must have no body with status 204, 205 or 304",
);

const kinds = {
	delay: optional(whole("Milliseconds to wait first.", 0, maxFaultDelayMs)),
	status: optional(whole("The status of an error of the service.", 400, 599)),
	drop: optional(
		oneOf(
			"Cuts the connection. `before`: the request is not done. `after-commit`: it is done, without a reply. `mid-body`: it is done, and half of the body is sent.",
			["before", "after-commit", "mid-body"],
		),
	),
	reply: optional(reply),
	after: optional(
		onlyTrue("Does the request first, then sends `status` or `reply`."),
	),
};

const times = either<number, "always">(
	count('Matching requests that then fail, or "always"; 1 by default.', 1),
	{ ...oneOf("", ["always"]), schema: { type: "string", const: "always" } },
	(value) => value === "always",
	'"always"',
);

const members = {
	operation: optional(
		operationOf("Only requests for this operation; any of `/v1` by default."),
	),
	path: optional(
		formed(
			"Only requests with this path, as sent, without the query.",
			{ test: (path) => operations.some(({ form }) => form.test(path)) },
			"must be the path of an operation, without a query",
			{},
		),
	),
	method: optional(oneOf("Only requests with this method.", methods)),
	header: optional(headersOf("Only requests with these headers, as JSON.")),
	skip: optional(count("Matching requests that pass first.")),
	times: withDefault(times, 1),
	probability: optional(
		decimal(
			"How likely the fault is for each matching request; 1 by default. The seed decides, so a run repeats.",
			0,
			1,
		),
	),
	...kinds,
} satisfies Record<keyof FaultRule, Type>;

const faultRule =
	"must have one of delay, status, reply, drop: delay also with another, and after only with status or reply";

function isFault({ delay, status, reply, drop, after }: Fault): boolean {
	const ends = [status, reply, drop].filter((one) => one !== undefined);
	return (
		ends.length <= 1 &&
		(ends.length === 1 || delay !== undefined) &&
		(after === undefined || (ends.length === 1 && drop === undefined))
	);
}

const faultType = withRule(closedObject("", "", kinds), isFault, faultRule);
const ruleType = withRule(
	closedObject("Rule", "A fault rule.", members),
	isFault,
	faultRule,
);

const rules = list(ruleType, 1_000);

export const rulesType: typeof rules = {
	...rules,
	// One rule for the whole, since a flag that is no JSON has no entries to name.
	read: (json, name, broken) =>
		Array.isArray(json) && json.every(isObject)
			? rules.read(json, name, broken)
			: refuse(broken, name, rulesRule),
	fromText: fromJsonText,
};

const rulesRule =
	'must be a list of fault rules in JSON, like [{"status":503}]';
