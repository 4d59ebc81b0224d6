// The routes of an interface: its operations with their handlers, and its OpenAPI document.
import {
	type OpenApiVersion,
	openApiVersion,
	openApiVersions,
} from "../contract/openapi/document.ts";
import { httpStatus, type Interface } from "../contract/operation.ts";
import { readParameter, readTexts } from "../contract/parameter.ts";
import { toCondition, type VersionCondition } from "../contract/version.ts";
import { Failure } from "../domain/errors.ts";
import { type Members, readMembers } from "../domain/type.ts";
import {
	Answer,
	type Described,
	type Operation,
	type Resource,
} from "../interface/operation.ts";
import { readJsonBody } from "./body.ts";
import { isMatched, type Reply, toNotModified, withHeaders } from "./reply.ts";
import type { Call, Route } from "./surface.ts";

export function toRoutes(
	{ prefix, operations }: Pick<Interface, "prefix" | "operations">,
	common: Headers,
	handlers: Readonly<Partial<Record<string, Route["handle"]>>>,
): readonly Route[] {
	return Object.entries(operations).flatMap(([operationId, operation]) => {
		const handle = handlers[operationId];
		if (handle === undefined) return [];
		const { method, path, scope } = operation;
		const { status } = operation.success;
		const headers = toOperationHeaders(common, prefix, operation);
		return [{ operationId, method, path, scope, status, headers, handle }];
	});
}

export function toOperationHeaders(
	common: Headers,
	prefix: string,
	{ method, deprecation }: Pick<Described, "method" | "deprecation">,
): Headers {
	return withHeaders(common, {
		...(method === "GET" && { "Cache-Control": "private, no-cache" }),
		...(deprecation && {
			Deprecation: `@${deprecation.since.getTime() / 1000}`,
			Sunset: deprecation.sunset.toUTCString(),
			Link: `<${prefix}${deprecation.successor}>; rel="successor-version"`,
		}),
	});
}

/** The routes of operations that carry their handlers. */
export function toResourceRoutes<Service>(
	prefix: string,
	common: Headers,
	{ operations }: Resource<Service, Call>,
	service: Service,
): readonly Route[] {
	return Object.entries(operations).map(([operationId, operation]) => ({
		operationId,
		method: operation.method,
		path: operation.path,
		scope: operation.scope,
		status: operation.status ?? toStatus(operation),
		headers: toOperationHeaders(common, prefix, operation),
		handle: (call) => handle(operation, service, call),
	}));
}

function toStatus({ reply, fileReply }: Described): number {
	return reply === undefined && fileReply === undefined
		? httpStatus.noContent
		: httpStatus.ok;
}

async function handle<Service>(
	operation: Operation<Service, Call>,
	service: Service,
	call: Call,
): Promise<Reply> {
	const input = {
		...readParameters(operation, call),
		...(operation.honoursIfMatch && { condition: readCondition(call) }),
		...(await readBody(operation, call)),
	};
	const done = await operation.handle(input as never, service, call);
	const answer = done instanceof Answer ? done : new Answer(done, {});
	const { "Content-Type": mediaType, ...own } = answer.headers;
	if (
		operation.method === "GET" &&
		own.ETag !== undefined &&
		isMatched(call.request, own.ETag)
	)
		return toNotModified({ own });
	const { body = toBody(operation, answer.value) } = answer;
	return { own, body, ...(mediaType !== undefined && { mediaType }) };
}

function readCondition({ request }: Call): VersionCondition {
	const ifMatch = request.headers.get("if-match");
	return ifMatch === null ? undefined : toCondition(ifMatch);
}

function toBody({ reply }: Described, value: unknown): string | undefined {
	return reply === undefined || value === undefined
		? undefined
		: reply.write(value);
}

/** Of the path and of the query. */
function readParameters(
	{ params = {}, query = {}, missing }: Described,
	call: Call,
): object {
	const broken: string[] = [];
	const texts = new Map(
		Object.keys(params).map((name) => [name, call.segment]),
	);
	const path = readMembers(params, toValues(params, texts), broken);
	if (broken.length > 0 && missing !== undefined)
		throw new Failure("not_found", missing);
	const given = readMembers(
		query,
		toValues(query, readTexts(call.query, Object.keys(query))),
		broken,
	);
	if (broken.length > 0)
		throw new Failure("invalid_parameter", broken.join(" "));
	return { ...path, ...given };
}

/** What `read` of each type takes. */
function toValues(
	members: Members,
	texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, unknown> {
	return new Map(
		[...texts].map(([name, text]) => [name, members[name]?.fromText(text)]),
	);
}

async function readBody(
	{ body, maxBodyBytes, mediaType }: Described,
	{ request }: Call,
): Promise<object> {
	if (body === undefined) return {};
	const broken: string[] = [];
	const mediaTypes =
		mediaType === undefined ? undefined : `${mediaType} or application/json`;
	const read = body.read(
		await readJsonBody(request, maxBodyBytes, mediaTypes),
		"",
		broken,
	);
	if (broken.length > 0) throw new Failure("invalid_body", broken.join(" "));
	return read;
}

export function toDocumentRoute(
	path: string,
	headers: Headers,
	openapi: (version: OpenApiVersion) => string,
): Route {
	/** All callers get the same bytes. */
	const documents = new Map<OpenApiVersion, Uint8Array<ArrayBuffer>>();
	return {
		method: "GET",
		path,
		headers,
		handle({ query }) {
			const version =
				readParameter(query, openApiVersion) ?? openApiVersions[0];
			const body = documents.getOrInsertComputed(version, () =>
				Buffer.from(openapi(version)),
			);
			return { body };
		},
	};
}
