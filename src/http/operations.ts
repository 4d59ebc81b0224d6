// The routes of an interface: its operations with their handlers, and its OpenAPI document.
import { nextTurn, pause } from "../domain/async.ts";
import { Failure } from "../domain/errors.ts";
import { maxPageSize } from "../domain/pet/cursor.ts";
import { oneOf } from "../domain/types/scalar.ts";
import {
	type Members,
	readMembers,
	requireValid,
	type ValuesOf,
	withDefault,
} from "../domain/types/type.ts";
import { toCondition, type VersionCondition } from "../domain/version.ts";
import {
	type DocumentOptions,
	type OpenApiVersion,
	openApiVersions,
	toOpenApi,
} from "../interface/openapi.ts";
import {
	Answer,
	type Described,
	type Interface,
	type Operation,
	operationsIn,
	type RawOperation,
	type Resource,
	toStatus,
} from "../interface/operation.ts";
import { readJsonBody } from "./body.ts";
import { isMatched, type Reply, toNotModified, withHeaders } from "./reply.ts";
import type { Call, Route } from "./surface.ts";

export function toRoutes<Service>(
	prefix: string,
	common: Headers,
	resources: readonly Resource<
		Operation<Service, Call> | RawOperation<Service, Call, Reply>
	>[],
	service: Service,
): readonly Route[] {
	return operationsIn({ resources }).map(({ id, operation }) => ({
		operationId: id,
		method: operation.method,
		path: operation.path,
		scope: operation.scope,
		status: toStatus(operation),
		headers: toOperationHeaders(common, prefix, operation),
		handle:
			"answer" in operation
				? // Bound, so that the app calls the operation itself.
					operation.answer.bind(undefined, service)
				: (call) => handle(operation, service, call),
	}));
}

function toOperationHeaders(
	common: Headers,
	prefix: string,
	{ method, deprecation }: Described,
): Headers {
	return withHeaders(common, {
		...(method === "GET" &&
			!common.has("Cache-Control") && { "Cache-Control": "private, no-cache" }),
		...(deprecation && {
			Deprecation: `@${deprecation.since.getTime() / 1000}`,
			Sunset: deprecation.sunset.toUTCString(),
			Link: `<${prefix}${deprecation.successor}>; rel="successor-version"`,
		}),
	});
}

async function handle<Service>(
	operation: Operation<Service, Call>,
	service: Service,
	call: Call,
): Promise<Reply> {
	operation.guard?.(call, service);
	const input = {
		...readParameters(operation, call),
		...(operation.honoursIfMatch && { condition: readCondition(call) }),
		...(await readBody(operation, call)),
	};
	const isLong = "limit" in input && Number(input.limit) > maxPageSize;
	if (isLong) await nextTurn();
	const done = await operation.handle(input as never, service, call);
	// Its JSON takes as long as its rows.
	if (isLong) await pause();
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
	const segments = Object.entries(params).map(
		([name, type]) => [name, type.fromText(call.segment)] as const,
	);
	const path = readMembers(params, new Map(segments), broken);
	if (broken.length > 0 && missing !== undefined)
		throw new Failure("not_found", missing);
	const given = readQuery(call.query, query, broken);
	requireValid(broken, "invalid_parameter");
	return { ...path, ...given };
}

/** Ignores unknown parameters. Adds a sentence to `broken` for each broken rule. */
export function readQuery<Of extends Members>(
	query: string,
	members: Of,
	broken: string[],
): ValuesOf<Of> {
	const given = new Map<string, unknown>();
	for (const pair of query === "" ? [] : query.split("&")) {
		const [key = "", ...rest] = pair.split("=");
		const name = decode(key) ?? "";
		const type = Object.hasOwn(members, name) ? members[name] : undefined;
		if (type === undefined) continue;
		const text = decode(rest.join("="));
		if (text === undefined)
			broken.push(`${name} must be percent-encoded UTF-8.`);
		else if (given.has(name))
			broken.push(`${name} must not be given more than once.`);
		else given.set(name, type.fromText(text));
	}
	return readMembers(members, given, broken);
}

function decode(text: string): string | undefined {
	if (!text.includes("%")) return text;
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
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
	requireValid(broken, "invalid_body");
	return read;
}

export function toDocumentRoute(
	path: string,
	headers: Headers,
	described: Interface,
	options: DocumentOptions,
): Route {
	const documents = new Map<OpenApiVersion, Blob>();
	return {
		method: "GET",
		path,
		headers,
		handle({ query }) {
			const broken: string[] = [];
			const { version } = readQuery(query, documentQuery, broken);
			requireValid(broken, "invalid_parameter");
			const body = documents.getOrInsertComputed(
				version,
				() => new Blob([toOpenApi(described, options, version)]),
			);
			return { body };
		},
	};
}

const documentQuery = {
	version: withDefault(
		oneOf("The version of OpenAPI.", openApiVersions),
		openApiVersions[0],
	),
};
