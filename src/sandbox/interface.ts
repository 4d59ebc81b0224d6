// `/sandbox` as data, for its OpenAPI document and its routes.
import {
	httpStatus,
	type Interface,
	type Operation,
	toOperation,
} from "../contract/operation.ts";
import { operator } from "../contract/operator/interface.ts";
import { instant, oneOf, whole } from "../contract/parameter.ts";
import {
	closedObject,
	decimal,
	int32,
	object,
	ref,
	type Schema,
	schemas,
	text as textSchema,
	time,
} from "../contract/schemas.ts";
import { v1 } from "../contract/v1/interface.ts";
import { maxFaultDelayMs } from "../limits.ts";
import { maxDemoAnimals } from "./demo-animals.ts";
import { faultKinds } from "./fault-kinds.ts";
import { toRuleValues } from "./fault-rule.ts";
import type { RuleValue } from "./rule-values.ts";

const operationIds = [v1, operator].flatMap(({ operations }) =>
	Object.keys(operations),
);

/** A misspelt value would match no request, and a test that expects none would pass. */
export const requestParameters = {
	operation: oneOf({
		name: "operation",
		description: "Only requests for this operation.",
		values: operationIds,
	}),
	method: oneOf({
		name: "method",
		description: "Only requests with this method.",
		values: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
	}),
	since: instant({
		name: "since",
		description: "Only requests that arrived at this time or later.",
	}),
	count: whole(
		"count",
		"Answer when this many requests match, or when `wait` is over.",
		[0, 1_000],
	),
	wait: whole(
		"wait",
		"How long to wait for `count` requests, in milliseconds.",
		[0, maxFaultDelayMs],
	),
};

function toControl(
	described: Omit<Parameters<typeof toOperation>[0], "tag">,
): Operation {
	const errors = [...(described.errors ?? []), "forbidden"] as const;
	return toOperation({ ...described, tag: "sandbox", errors });
}

const done = { status: httpStatus.noContent, description: "Done." };

export type SandboxOperationId = keyof typeof operations;

const operations = {
	reset: toControl({
		method: "POST",
		path: "/reset",
		summary: "Reset the sandbox",
		description:
			"Brings back the animals of the start. Removes Idempotency-Keys, keys, sessions, fault rules and recorded requests. Requests that began before it get no reply and change nothing. A number of demo animals applies to this reset only. A list of animals also applies to later resets without a body.",
		body: "Start",
		isBodyOptional: true,
		example: { pets: 10, seed: 42 },
		success: done,
	}),
	listFaults: toControl({
		path: "/faults",
		summary: "List the fault rules",
		description: "Rules that are used up are not listed.",
		success: {
			description: "The rules, with the remaining `skip` and `times`.",
			body: "FaultRules",
			example: [{ operation: "createPet", times: 1, drop: "after-commit" }],
		},
	}),
	setFaults: toControl({
		method: "PUT",
		path: "/faults",
		summary: "Make requests fail, even after their commit",
		description:
			"Replaces all fault rules. The first rule that fits a request is used; one that lets it pass (`skip`) leaves it to the next rules. A rule fits only requests with a valid key. The header `Sandbox-Fault` makes a single request fail, for example `Sandbox-Fault: status=503; delay=300`.",
		body: "FaultRules",
		example: [{ operation: "createPet", skip: 2, drop: "after-commit" }],
		success: done,
	}),
	removeFaults: toControl({
		method: "DELETE",
		path: "/faults",
		summary: "Remove all fault rules",
		description: "Removes every rule, used up or not.",
		success: done,
	}),
	listRequests: toControl({
		path: "/requests",
		summary: "List the requests that the sandbox received",
		description:
			"The last 1,000 requests that were answered, oldest first, 16 MiB at most. Requests to `/sandbox` and for the files of pages below `/assets/` are not among them.",
		query: Object.values(requestParameters),
		success: { description: "The requests.", body: "RecordedRequests" },
		errors: ["invalid_parameter"],
	}),
	removeRequests: toControl({
		method: "DELETE",
		path: "/requests",
		summary: "Delete the requests",
		description: "Requests in progress are recorded when they are answered.",
		success: done,
	}),
	countAnimals: toControl({
		path: "/animals",
		summary: "Count the animals",
		description: "The request is not recorded, and meets no fault.",
		success: {
			description: "How many animals the sandbox has now.",
			body: "AnimalCount",
			example: { animals: 250 },
		},
	}),
};

const ruleValues: Readonly<Record<string, RuleValue<unknown>>> = {
	...toRuleValues(operationIds),
	...faultKinds,
};

const rule = Object.fromEntries(
	Object.entries(ruleValues).map(([name, { schema }]) => [name, schema]),
);

/** The operations to choose from in a form. */
const operationGroups = [v1, operator].map(({ prefix, operations }) => ({
	label: prefix,
	options: Object.entries(operations).map(([value, { method, path }]) => ({
		value,
		text: `${value} — ${method} ${prefix}${path}`,
	})),
}));

function nullable(type: string, description: string): Schema {
	return { type: [type, "null"], description };
}

/** What a form needs to know of each member of a rule, in schema order. */
export const ruleFields = Object.entries(ruleValues).map(
	([name, { read: _, ...described }]) => ({
		name,
		...described,
		isKind: name in faultKinds,
		groups: name === "operation" ? operationGroups : undefined,
	}),
);

export const sandboxInterface: Interface = {
	prefix: "/sandbox",
	title: "Sandbox",
	version: "1.0.0",
	summary: "Control the sandbox: reset it, make it fail, see what it received.",
	description:
		"Only `petstore sandbox` has these paths. They need no key on this machine. A sandbox that was started with `--allow-host` needs its key.",
	authentication: "The key of the sandbox, if it needs one.",
	tags: { sandbox: "Reset, faults and recorded requests." },
	operations,
	schemas: {
		Start: closedObject(
			"What the sandbox starts with. A missing member stays as it is.",
			{},
			{
				pets: {
					description:
						"How many demo animals, or the animals: all of them with ids, which are kept, or none.",
					oneOf: [
						{ type: "integer", minimum: 0, maximum: maxDemoAnimals },
						{ type: "array", items: ref("OwnPet") },
					],
				},
				seed: {
					type: "integer",
					minimum: 0,
					maximum: Number.MAX_SAFE_INTEGER,
					description: "The seed of the demo animals and of random faults.",
				},
			},
		),
		PetStatus: schemas.PetStatus,
		OwnPet: {
			...schemas.NewPet,
			properties: {
				id: schemas.Pet.properties.id,
				...schemas.NewPet.properties,
			},
		},
		FaultRules: { type: "array", items: ref("FaultRule") },
		FaultRule: closedObject(
			"A fault, and the requests that it is for.",
			{},
			rule,
		),
		RecordedRequests: { type: "array", items: ref("RecordedRequest") },
		RecordedRequest: object("A request that the sandbox has answered.", {
			method: textSchema("Its method."),
			path: textSchema("Its path with the query."),
			headers: {
				type: "object",
				description:
					"Its headers. Names are in lower case; keys and sessions are `***`.",
				additionalProperties: true,
			},
			body: textSchema("What arrived of its body, up to 64 KiB."),
			status: nullable(
				"integer",
				"The status of the reply; null if the connection was cut.",
			),
			unsentStatus: nullable(
				"integer",
				"The status of the reply that was not sent, if the request was done and the connection then cut; otherwise null.",
			),
			at: time("When it arrived."),
			durationMs: decimal("How long it took to answer, in milliseconds."),
			requestId: nullable("string", "Its id in the log."),
			operation: nullable("string", "The operation that it was for."),
			fault: nullable("object", "The fault that it met."),
			key: nullable(
				"string",
				"The id or the name of its key; null without a valid key, or if it was for no operation.",
			),
		}),
		AnimalCount: object("The animals.", { animals: int32 }),
		Error: schemas.Error,
	},
	marksAdditions: false,
};

/** The interface if the control paths need the key. */
export const interfaceWithKey: Interface = {
	...sandboxInterface,
	operations: Object.fromEntries(
		Object.entries(operations).map(([id, operation]) => [
			id,
			{ ...operation, scope: "operator" },
		]),
	),
};
