// Describes the contract as an OpenAPI document, in version 3.1 or 3.0. What is not in the interface document is marked `x-addition`.
import type { Operation } from "../operation.ts";
import { schemas } from "../schemas.ts";
import {
	interfaceVersion,
	type OperationId,
	operations,
	versionPrefix,
} from "../v1.ts";
import { examples } from "./examples.ts";
import { jsonContent } from "./json-content.ts";
import { toParameters } from "./parameters.ts";
import { toResponses } from "./responses.ts";
import type { OpenApiVersion } from "./version.ts";
import { toVersion30 } from "./version-30.ts";

export interface DocumentOptions {
	readonly operationIds: readonly OperationId[];
	readonly baseUrl: string | undefined;
	readonly stagingUrl: string | undefined;
}

/** The document in each version. It is made when it is first asked for, since that takes milliseconds. */
export function createOpenApi(
	options: DocumentOptions,
): (version: OpenApiVersion) => string {
	const texts = new Map<OpenApiVersion, string>();
	return (version) => {
		const text = texts.get(version) ?? toOpenApi(options, version);
		texts.set(version, text);
		return text;
	};
}

export function toOpenApi(
	options: DocumentOptions,
	version: OpenApiVersion,
): string {
	const document = toDocument(options);
	const chosen = version === "3.0" ? toVersion30(document) : document;
	return `${JSON.stringify(chosen, null, 2)}\n`;
}

function toDocument(options: DocumentOptions) {
	return {
		openapi: "3.1.0",
		info: {
			title: "Pet Store",
			version: interfaceVersion,
			summary: "A catalogue of animals: list, add, get one.",
			description:
				`Every operation needs an API key. ${howToGetKey} ` +
				"Parts marked `x-addition` are promises beyond the interface document; a client need not know them. " +
				"HEAD is answered wherever GET is, and OPTIONS with a 204. To a caller with a key, any other path is a 404 and any other method a 405, with an Error body.",
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: toServers(options),
		security: [{ apiKey: [] }],
		tags: [{ name: "pets", description: "The catalogue of animals." }],
		paths: toPaths(options.operationIds),
		components: {
			securitySchemes: {
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: `The API key is the bearer token. ${howToGetKey}`,
				},
			},
			schemas,
		},
	};
}

/** Renderers show the description of the document in one place, and that of the key where they ask for it. */
const howToGetKey =
	"The operator of the service creates keys with `petstore keys create --name NAME`, which shows a key once.";

/** Without a base URL it is not known what the service is used for, for example on localhost. */
function toServers({ baseUrl, stagingUrl }: DocumentOptions): object[] {
	const own =
		baseUrl === undefined
			? { url: versionPrefix, description: "The service with this document" }
			: {
					url: baseUrl + versionPrefix,
					description: isLocal(baseUrl) ? "This machine" : "Production",
				};
	if (stagingUrl === undefined) return [own];
	return [own, { url: stagingUrl + versionPrefix, description: "Staging" }];
}

function isLocal(url: string): boolean {
	return /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:\d+)?(\/|$)/.test(url);
}

function toPaths(operationIds: readonly OperationId[]): object {
	const byPath = Map.groupBy(operationIds, (id) => operations[id].path);
	return Object.fromEntries(
		[...byPath].map(([path, ids]) => [
			path,
			Object.fromEntries(
				ids.map((id) => [
					operations[id].method.toLowerCase(),
					toOperation(id, toServed(operations[id], operationIds)),
				]),
			),
		]),
	);
}

/** Without getPet nothing answers at the Location of an animal, so the header is left out. */
function toServed(
	operation: Operation,
	operationIds: readonly OperationId[],
): Operation {
	const { success } = operation;
	const headers = success.headers.filter(
		(name) => name !== "Location" || operationIds.includes("getPet"),
	);
	return { ...operation, success: { ...success, headers } };
}

function toOperation(operationId: OperationId, operation: Operation): object {
	const { summary, description, body, deprecation } = operation;
	const { request, ...replies } = examples[operationId];
	return {
		operationId,
		summary,
		description,
		tags: ["pets"],
		...(deprecation && {
			deprecated: true,
			"x-deprecated-sunset": deprecation.sunset.toISOString().slice(0, 10),
		}),
		parameters: toParameters(operation),
		...(body && {
			requestBody: { required: true, content: jsonContent(body, request) },
		}),
		responses: toResponses(operation, replies),
	};
}
