// `/sandbox` as data: what its OpenAPI document and its routes are made of.
import { error } from "../contract/examples.ts";
import {
	httpStatus,
	type Interface,
	type Operation,
	toOperation,
} from "../contract/operation.ts";
import { operator } from "../contract/operator/interface.ts";
import { parameter, readParameter, text } from "../contract/parameter.ts";
import {
	closedObject,
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
import type { RequestFilter } from "./requests.ts";

export type SandboxOperationId =
	| "reset"
	| "listFaults"
	| "setFaults"
	| "removeFaults"
	| "listRequests"
	| "removeRequests"
	| "countAnimals";

/** The longest wait for requests. It is that of a fault. */
const maxWaitMs = maxFaultDelayMs;

const whole = (name: string, description: string, maximum: number) =>
	parameter(
		{ name, description, schema: { ...int32, minimum: 0, maximum } },
		`must be a plain whole number from 0 to ${maximum}`,
		(given) =>
			/^(0|[1-9]\d{0,8})$/.test(given) && Number(given) <= maximum
				? Number(given)
				: undefined,
	);

export const requestParameters = {
	operation: text({
		name: "operation",
		description: "Only requests for this operation.",
		addition: false,
	}),
	method: text({
		name: "method",
		description: "Only requests with this method.",
		addition: false,
	}),
	since: parameter(
		{
			name: "since",
			description: "Only requests that arrived at this time or later.",
			schema: { type: "string", format: "date-time" },
		},
		"must be a time by RFC 3339",
		(given) =>
			/^\d{4}-\d\d-\d\dT/.test(given) && !Number.isNaN(Date.parse(given))
				? Date.parse(given)
				: undefined,
	),
	count: whole(
		"count",
		"Answer when so many requests match, or when `wait` is over.",
		1_000,
	),
	wait: whole(
		"wait",
		"How long to wait for `count` requests, in milliseconds.",
		maxWaitMs,
	),
};

export function toRequestFilter(query: string): RequestFilter {
	return {
		operation: readParameter(query, requestParameters.operation),
		method: readParameter(query, requestParameters.method),
		since: readParameter(query, requestParameters.since),
	};
}

const otherHost = error(
	"forbidden",
	"The Host of a request to the sandbox must be one of localhost, 127.0.0.1, [::1].",
);

const common = { tag: "sandbox", errors: { otherHost } } as const;
const done = { status: httpStatus.noContent, description: "Done." };

const operations: Readonly<Record<SandboxOperationId, Operation>> = {
	reset: toOperation({
		...common,
		method: "POST",
		path: "/reset",
		summary: "Go back to the start",
		description:
			"Brings back the animals of the start. Removes Idempotency-Keys, keys, sessions, fault rules and recorded requests. Requests that began before it get no reply and change nothing. A number of demo animals is for this time only. Own animals (a list) are also the start of later resets without a body.",
		body: "Start",
		isBodyOptional: true,
		request: {
			demo: { pets: 10, seed: 42 },
			own: { pets: [{ name: "Rex", categoryId: 1 }] },
		},
		success: done,
		errors: {
			...common.errors,
			noName: error("invalid_body", "pets[0]: name is required."),
		},
	}),
	listFaults: toOperation({
		...common,
		method: "GET",
		path: "/faults",
		summary: "List the fault rules",
		description: "Rules that are used up are not listed.",
		success: {
			description: "The rules, with what is left of `skip` and `times`.",
			body: "FaultRules",
			examples: {
				one: [{ operation: "createPet", times: 1, drop: "after-commit" }],
			},
		},
	}),
	setFaults: toOperation({
		...common,
		method: "PUT",
		path: "/faults",
		summary: "Make requests fail, even after their commit",
		description:
			"Replaces all fault rules. The first rule that fits a request is used; one that lets it pass (`skip`) leaves it to the next rules. A rule fits only requests with a valid key. The header `Sandbox-Fault` makes a single request fail, for example `Sandbox-Fault: status=503; delay=300`.",
		body: "FaultRules",
		request: {
			lostReply: [{ operation: "createPet", skip: 2, drop: "after-commit" }],
			flaky: [{ times: "always", probability: 0.1, status: 503 }],
		},
		success: done,
		errors: {
			...common.errors,
			unknownMember: error(
				"invalid_body",
				"[0].drops is unknown; did you mean drop?",
			),
		},
	}),
	removeFaults: toOperation({
		...common,
		method: "DELETE",
		path: "/faults",
		summary: "Remove all fault rules",
		description: "The rules are removed whether they are used up or not.",
		success: done,
	}),
	listRequests: toOperation({
		...common,
		method: "GET",
		path: "/requests",
		summary: "List the requests that the sandbox got",
		description:
			"The last 1,000 requests that were answered, oldest first, 16 MiB at most. Requests to `/sandbox` and for the files of pages below `/assets/` are not among them.",
		query: Object.values(requestParameters),
		success: { description: "The requests.", body: "RecordedRequests" },
		errors: {
			...common.errors,
			wait: error(
				"invalid_parameter",
				`wait must be a plain whole number from 0 to ${maxWaitMs}.`,
			),
		},
	}),
	removeRequests: toOperation({
		...common,
		method: "DELETE",
		path: "/requests",
		summary: "Forget the requests",
		description: "Requests in progress are recorded when they are answered.",
		success: done,
	}),
	countAnimals: toOperation({
		...common,
		method: "GET",
		path: "/animals",
		summary: "Count the animals",
		description: "The request is not recorded, and meets no fault.",
		success: {
			description: "How many animals the sandbox has now.",
			body: "AnimalCount",
			examples: { start: { animals: 250 } },
		},
	}),
};

const kindSchemas = Object.fromEntries(
	Object.entries(faultKinds).map(([name, { schema }]) => [name, schema]),
);

const operationIds = [v1, operator].flatMap(({ operations }) =>
	Object.keys(operations),
);

const rule: Record<string, Schema> = {
	operation: {
		...{ type: "string", enum: operationIds },
		description:
			"The operation that the rule is for; any operation of `/v1` by default.",
	},
	skip: {
		...{ type: "integer", minimum: 0 },
		description: "Lets so many matching requests pass first; 0 by default.",
	},
	times: {
		description: 'How many requests then fail, or "always"; 1 by default.',
		oneOf: [
			{ type: "integer", minimum: 1 },
			{ type: "string", const: "always" },
		],
	},
	probability: {
		...{ type: "number", minimum: 0, maximum: 1 },
		description:
			"How likely the fault is for each request; 1 by default. The seed decides, so a run repeats.",
	},
	...kindSchemas,
};

/** The operations as a person chooses among them. */
const operationGroups = [v1, operator].map(({ prefix, operations }) => ({
	label: prefix,
	options: Object.entries(operations).map(([value, { method, path }]) => ({
		...{ value, text: `${value} — ${method} ${prefix}${path}` },
	})),
}));

function nullable(type: string): readonly [string, "null"] {
	return [type, "null"];
}

const seed = {
	...{ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
	description: "The seed of the demo animals and of random faults.",
};

/** What a form for a rule needs to know of each member, in the order of the schema. */
export const ruleFields = Object.entries(rule).map(([name, schema]) => {
	const kind = faultKinds[name];
	const { without, needs, only } = kind ?? {};
	return {
		...{ name, schema, isKind: kind !== undefined, without, needs, only },
		groups: name === "operation" ? operationGroups : undefined,
	};
});

export const sandboxInterface: Interface<SandboxOperationId> = {
	prefix: "/sandbox",
	title: "Sandbox",
	version: "1.0.0",
	summary: "Control the sandbox: reset it, make it fail, see what it got.",
	description:
		"Only `petstore sandbox` has these paths. They need no key on this machine. A sandbox that was started with `--allow-host` wants its key.",
	authentication: "The key of the sandbox, where it wants one.",
	tags: { sandbox: "Reset, faults and recorded requests." },
	operations,
	schemas: {
		Start: closedObject(
			"What the sandbox starts with. A missing member stays as it is.",
			{},
			{
				pets: {
					description:
						"How many demo animals, or the animals. Ids are kept if the first animal has one.",
					oneOf: [
						{ type: "integer", minimum: 0, maximum: maxDemoAnimals },
						{ type: "array", items: ref("OwnPet") },
					],
				},
				seed,
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
			status: {
				type: nullable("integer"),
				description: "The status of the reply; null if the connection was cut.",
			},
			unsentStatus: {
				type: nullable("integer"),
				description:
					"The status of the reply that was not sent, if the request was done and the connection then cut; otherwise null.",
			},
			at: time("When it arrived."),
			durationMs: {
				type: "number",
				description: "How long it took to answer, in milliseconds.",
			},
			requestId: {
				type: nullable("string"),
				description: "Its id in the log.",
			},
			operation: {
				type: nullable("string"),
				description: "The operation that it was for.",
			},
			fault: {
				type: nullable("object"),
				description: "The fault that it met.",
			},
			key: {
				type: nullable("string"),
				description:
					"The id or the name of its key; null without a valid key, or if it was for no operation.",
			},
		}),
		AnimalCount: object("The animals.", { animals: int32 }),
		Error: schemas.Error,
	},
	marksAdditions: false,
};
