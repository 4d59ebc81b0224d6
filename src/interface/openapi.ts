// Describes an interface as an OpenAPI document, version 3.1 or 3.0. What the interface document does not have is marked `x-addition`.
import type { Schema } from "../domain/types/type.ts";
import {
	type Content,
	type DescribedReply,
	mark,
	type Parameter,
	toParameters,
	toReplies,
	toRequestContent,
} from "./messages.ts";
import { mapMembers, toVersion30 } from "./openapi-30.ts";
import { type Described, type Interface, operationsIn } from "./operation.ts";

/** The first is the default. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

export interface DocumentOptions {
	readonly baseUrl?: string | undefined;
	readonly stagingUrl?: string | undefined;
}

export function toOpenApi(
	described: Interface,
	options: DocumentOptions,
	version: OpenApiVersion,
): string {
	const document = toDocument(described, options);
	const chosen = version === "3.0" ? toVersion30(document) : document;
	const keep = (name: string, value: unknown) =>
		described.marksAdditions || name !== mark ? value : undefined;
	return `${JSON.stringify(chosen, keep, 2)}\n`;
}

function toDocument(described: Interface, options: DocumentOptions) {
	const { title, version, summary, description, prefix } = described;
	const shared: Shared = {
		schemas: {},
		headers: {},
		parameters: {},
		responses: {},
	};
	const tags = new Map(
		described.resources.map(({ tag, description }) => [tag, description]),
	);
	return {
		openapi: "3.1.0",
		info: { title, version, summary, description, license },
		servers: toServers(prefix, options),
		security: [{ apiKey: [] }],
		tags: [...tags].map(([name, description]) => ({ name, description })),
		paths: toPaths(described, shared),
		components: {
			securitySchemes: {
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: described.authentication,
				},
			},
			...shared,
		},
	};
}

const license = { name: "MIT", identifier: "MIT" };

/** Without a base URL, the service cannot know whether it runs in production. */
function toServers(
	prefix: string,
	{ baseUrl = "", stagingUrl }: DocumentOptions,
): object[] {
	const description =
		baseUrl === "" ? "The service with this document" : "Production";
	const own = { url: baseUrl + prefix, description };
	if (stagingUrl === undefined) return [own];
	return [own, { url: stagingUrl + prefix, description: "Staging" }];
}

function toPaths(described: Interface, shared: Shared): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const { id, tag, operation } of operationsIn(described)) {
		const { path, method, summary, description, deprecation } = operation;
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: {
				operationId: id,
				summary,
				description,
				tags: [tag],
				...(deprecation && {
					deprecated: true,
					"x-deprecated-sunset": deprecation.sunset.toISOString().slice(0, 10),
				}),
				...(operation.scope === undefined && { security: [] }),
				parameters: toParameters(operation).map((one) =>
					toParameter(one, shared),
				),
				...toRequestBody(operation, shared),
				responses: Object.fromEntries(
					toReplies(operation, described.error).map((reply) => [
						reply.status,
						toResponse(reply, id, shared),
					]),
				),
			},
		};
	}
	return paths;
}

/** What operations share. */
type Shared = Record<
	"schemas" | "headers" | "parameters" | "responses",
	Record<string, object>
>;

function refer(kind: keyof Shared, name: string): { readonly $ref: string } {
	return { $ref: `#/components/${kind}/${name}` };
}

function toParameter(parameter: Parameter, shared: Shared): object {
	const { description: _, ...schema } = toDocumentSchema(
		parameter.schema,
		shared,
	);
	const described = { ...parameter, schema };
	if (parameter.in === "path" || parameter.in === "query") return described;
	shared.parameters[parameter.name] = described;
	return refer("parameters", parameter.name);
}

function toRequestBody(operation: Described, shared: Shared): object {
	const content = toRequestContent(operation);
	if (Object.keys(content).length === 0) return {};
	return {
		requestBody: { required: true, content: toContent(content, shared) },
	};
}

function toContent(content: Content, shared: Shared): object {
	return mapMembers(content, ({ schema, ...example }) => ({
		schema: toDocumentSchema(schema, shared),
		...example,
	}));
}

function toResponse(
	{ status, codes, headers, content, ...rest }: DescribedReply,
	operationId: string,
	shared: Shared,
): object {
	const response = {
		...rest,
		headers: mapMembers(headers, (description, name) => {
			const schema = { type: "string" };
			shared.headers[name] = { description, schema, [mark]: true };
			return refer("headers", name);
		}),
		...(Object.keys(content).length > 0 && {
			content: toContent(content, shared),
		}),
	};
	return codes.length === 0
		? response
		: toSharedError(`Reply${status}`, response, operationId, shared);
}

/** Another error of the same status has the operation in its name. */
function toSharedError(
	name: string,
	response: object,
	operationId: string,
	{ responses }: Shared,
): object {
	const known = Object.keys(responses).find(
		(one) => one.startsWith(name) && Bun.deepEquals(responses[one], response),
	);
	const own = known ?? (name in responses ? `${name}-${operationId}` : name);
	responses[own] = response;
	return refer("responses", own);
}

type DocumentSchema = Record<string, unknown>;

/** One with a title becomes a component, to which it refers. */
function toDocumentSchema(schema: Schema, shared: Shared): DocumentSchema {
	const { title, about, example: _, default: fallback, ...untitled } = schema;
	const rest = fallback === undefined ? {} : { default: fallback };
	if (title !== undefined) {
		const { description = "" } = schema;
		const component = { ...untitled, description: about ?? description };
		shared.schemas[title] ??= toDocumentSchema(component, shared);
		return {
			...refer("schemas", title),
			...(about !== undefined && { description }),
			...rest,
		};
	}
	const { items, properties, oneOf, description = "", ...same } = untitled;
	const toInner = (inner: Schema) => toDocumentSchema(inner, shared);
	return {
		...same,
		...rest,
		...(description !== "" && { description }),
		...(items && { items: toInner(items) }),
		...(oneOf && { oneOf: oneOf.map(toInner) }),
		...(properties && { properties: mapMembers(properties, toInner) }),
	};
}
