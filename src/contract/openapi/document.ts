// Describes an interface as an OpenAPI document, version 3.1 or 3.0. Marks additions to the interface document `x-addition`.
import type { Interface, Operation } from "../operation.ts";
import { oneOf } from "../parameter.ts";
import { withComponents } from "./components.ts";
import { toParameters } from "./parameters.ts";
import { jsonContent, mark, toResponses } from "./responses.ts";
import { toVersion30 } from "./version-30.ts";

interface DocumentOptions {
	readonly baseUrl?: string | undefined;
	readonly stagingUrl?: string | undefined;
}

export function toOpenApi(
	described: Interface,
	options: DocumentOptions,
	version: OpenApiVersion,
): string {
	const document = withComponents(toDocument(described, options));
	const chosen = version === "3.0" ? toVersion30(document) : document;
	const { marksAdditions } = described;
	const keep = (name: string, value: unknown) =>
		marksAdditions || name !== mark ? value : undefined;
	return `${JSON.stringify(chosen, keep, 2)}\n`;
}

function toDocument(described: Interface, options: DocumentOptions) {
	const { title, version, summary, description, prefix, schemas } = described;
	const license = { name: "MIT", identifier: "MIT" };
	return {
		openapi: "3.1.0",
		info: { title, version, summary, description, license },
		servers: toServers(prefix, options),
		security: [{ apiKey: [] }],
		tags: Object.entries(described.tags).map(([name, description]) => ({
			name,
			description,
		})),
		paths: toPaths(described),
		components: {
			securitySchemes: {
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: described.authentication,
				},
			},
			schemas,
		},
	};
}

/** Without a base URL, the service cannot know whether it runs in production. */
function toServers(
	prefix: string,
	{ baseUrl = "", stagingUrl }: DocumentOptions,
): object[] {
	const place = isLocal(baseUrl) ? "This machine" : "Production";
	const description = baseUrl === "" ? "The service with this document" : place;
	const own = { url: baseUrl + prefix, description };
	if (stagingUrl === undefined) return [own];
	return [own, { url: stagingUrl + prefix, description: "Staging" }];
}

function isLocal(url: string): boolean {
	return /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:\d+)?(\/|$)/.test(url);
}

function toPaths({ operations }: Interface): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const [id, operation] of Object.entries(operations)) {
		const { path, method } = operation;
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: toOperation(id, operation),
		};
	}
	return paths;
}

function toOperation(operationId: string, operation: Operation): object {
	const { summary, description, tag, deprecation } = operation;
	return {
		operationId,
		summary,
		description,
		tags: [tag],
		...(deprecation && {
			deprecated: true,
			"x-deprecated-sunset": deprecation.sunset.toISOString().slice(0, 10),
		}),
		...(operation.scope === undefined && { security: [] }),
		parameters: toParameters(operation),
		...toRequestBody(operation),
		responses: toResponses(operation),
	};
}

function toRequestBody(operation: Operation): object {
	const { body, mediaType, example, file } = operation;
	if (file !== undefined) return { requestBody: toFileBody(file) };
	if (body === undefined) return {};
	const content = {
		...jsonContent(body, example),
		...(mediaType !== undefined && jsonContent(body, example, mediaType)),
	};
	return { requestBody: { required: true, content } };
}

function toFileBody(file: NonNullable<Operation["file"]>): object {
	const content = Object.entries(file).map(([mediaType, example]) => [
		mediaType,
		{ schema: { type: "string" }, example },
	]);
	return { required: true, content: Object.fromEntries(content) };
}

/** The first is the default. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

export const openApiVersion = oneOf({
	name: "version",
	description: "The version of OpenAPI.",
	values: openApiVersions,
	example: "3.1",
});
