// An operation as one value: what the interface says about it, and what the service does. Routes, rights, the OpenAPI documents, the
// reference and the commands of the command line derive from it.

import type { KeyScope } from "../domain/access/key-scope.ts";
import type { Awaitable } from "../domain/async.ts";
import { type ErrorCode, errorCodes, Failure } from "../domain/errors.ts";
import type { Members, Type, ValuesOf } from "../domain/types/type.ts";
import type { VersionCondition } from "../domain/version.ts";
import type { ReplyHeader } from "./headers.ts";

/** The operations below one prefix, with one version. */
export interface Interface {
	readonly prefix: string;
	readonly title: string;
	readonly version: string;
	readonly summary: string;
	readonly description: string;
	readonly authentication: string;
	/** The sentence in these texts on how to get a key. A sandbox shows its own key instead. */
	readonly howToGetKey: string;
	/** Several may have the same tag. The first describes it. */
	readonly resources: readonly Resource[];
	/** The body of every error. */
	readonly error: Type;
	/** Whether an interface document exists. Then additions to it are marked. */
	readonly marksAdditions: boolean;
}

export interface Operation<Service = never, Call = never> extends Described {
	readonly handle: (
		input: never,
		service: Service,
		call: Call,
	) => Awaitable<unknown>;
	/** Runs before the parameters and the body are read. Throws if the request is refused whatever they are. */
	readonly guard?: (call: Call, service: Service) => void;
	/** What its command asks first on a terminal, with the name of what it removes. */
	readonly question?: (input: never, service: Service) => Promise<string>;
}

/** An operation that reads the call and writes the reply itself, for its speed. */
export interface RawOperation<Service, Call, Reply> extends Described {
	readonly answer: (service: Service, call: Call) => Awaitable<Reply>;
}

/** What the interface says. */
export interface Described {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** Below the prefix of the interface; `{name}` stands for one segment. */
	readonly path: string;
	/** The scope that a key needs. Undefined if no key is needed. */
	readonly scope?: KeyScope;
	readonly summary: string;
	readonly description: string;
	/** Of the segment in braces. */
	readonly params?: Members;
	/** The sentence of the 404 if the segment breaks its rule. Without it, that is a 400 that names the rule. */
	readonly missing?: string;
	readonly query?: Members;
	/** The parameters that the interface document does not have. */
	readonly additions?: readonly string[];
	readonly body?: Type<object>;
	/** Of the body; 64 KiB if not given. */
	readonly maxBodyBytes?: number;
	/** A Content-Type of its body besides `application/json`. */
	readonly mediaType?: string;
	/** Examples of a file as body, by media type. The handler reads it. */
	readonly file?: Readonly<Record<string, string>>;
	readonly reply?: Type;
	/** Of success: 200, or 204 without a reply, if not given. */
	readonly status?: number;
	/** What a reply that is no JSON has, by media type. */
	readonly fileReply?: Readonly<Record<string, string>>;
	/** The headers of a success that are no part of every reply. */
	readonly headers?: readonly ReplyHeader[];
	/** The codes beyond those that every such operation has. */
	readonly errors?: readonly ErrorCode[];
	/** The errors that the interface document names. */
	readonly named?: readonly ErrorCode[];
	/** An example of its body, if not that of the type. */
	readonly example?: unknown;
	/** Whether it runs only if the animal meets `If-Match`, the `condition` of its input. Commands have no condition. */
	readonly honoursIfMatch?: true;
	/** What it does with the browser's session, which has a cookie. */
	readonly session?: "begins" | "reads" | "ends";
	/** The operation that answers at the `Location` of the reply. */
	readonly located?: string;
	readonly deprecation?: Deprecation;
	/** How the command line has it; false if it has not. */
	readonly command?: Command | false;
}

export interface Command {
	/** If not given, the first word of the id; or all of it, like `read-oldest-pet`, if an earlier operation has that verb. */
	readonly verb?: string;
	/** What its help says in place of the description, which is for programs. */
	readonly help?: string;
	/** The member that is printed alone if stdout is no terminal. */
	readonly prints?: string;
	/** An entry of its list as people read it, if not by its members. */
	readonly toRow?: (entry: never) => Readonly<Record<string, string>>;
	/** Whether it creates a missing database. */
	readonly creates?: true;
	/** What stderr says after its reply, for a person. */
	readonly says?: (reply: never) => string | undefined;
	/** Whether stderr then has what the edit changed, and the command that undoes it. */
	readonly saysChanges?: true;
}

export interface Deprecation {
	readonly since: Date;
	readonly sunset: Date;
	readonly successor: string;
}

/** A reply with more than a value: headers of its own, or a body that is no JSON. A GET with an `ETag` honours `If-None-Match`. */
export class Answer<Value> {
	readonly value: Value | undefined;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: ReadableStream<Uint8Array> | Blob | undefined;

	constructor(
		value: Value | undefined,
		headers: Readonly<Record<string, string>>,
		body?: Answer<Value>["body"],
	) {
		this.value = value;
		this.headers = headers;
		this.body = body;
	}
}

/** Makes operations that have this in common. The compiler checks that a handler takes and returns what its operation says. */
export function operationsOf<Service, Call>(
	common: Pick<Described, "scope"> = {},
) {
	return <
		Params extends Members = Record<never, never>,
		Query extends Members = Record<never, never>,
		Body extends object = Record<never, never>,
		Output = void,
	>(
		described: Omit<Described, "params" | "query" | "body" | "reply"> & {
			readonly params?: Params;
			readonly query?: Query;
			readonly body?: Type<Body>;
			readonly reply?: Type<Output>;
			readonly handle: (
				input: ValuesOf<Params> & ValuesOf<Query> & Body & Conditional,
				service: Service,
				call: Call,
			) => Awaitable<Output | Answer<Output>>;
			readonly guard?: Operation<Service, Call>["guard"];
			readonly question?: (
				input: ValuesOf<Params>,
				service: Service,
			) => Promise<string>;
		},
	) => ({ ...common, ...described }) as Operation<Service, Call>;
}

interface Conditional {
	readonly condition?: VersionCondition;
}

/** The operations of one subject. */
export interface Resource<Of extends Described = Described> {
	readonly tag: string;
	readonly description: string;
	readonly operations: Readonly<Record<string, Of>>;
}

/** With their ids. */
export function operationsIn<Of extends Described>({
	resources,
}: {
	readonly resources: readonly Resource<Of>[];
}) {
	return resources.flatMap(({ tag, operations }) =>
		Object.entries(operations).map(([id, operation]) => ({
			id,
			tag,
			operation,
		})),
	);
}

/** Of success. */
export function toStatus({ status, reply, fileReply }: Described): number {
	const isEmpty = reply === undefined && fileReply === undefined;
	return status ?? (isEmpty ? 204 : 200);
}

/** All codes that it may answer with, in the order of their statuses. */
export function toErrors(operation: Described): readonly ErrorCode[] {
	const { scope, params = {}, query = {}, missing, body } = operation;
	const isChecked =
		Object.keys(query).length > 0 ||
		(Object.keys(params).length > 0 && missing === undefined);
	const codes = new Set<ErrorCode>([
		...(operation.errors ?? []),
		...(scope === undefined ? [] : ofKeys),
		...(scope === "operator" ? ofOperators : []),
		...(isChecked ? ofParameters : []),
		...(missing === undefined ? [] : ofMissing),
		...(body === undefined ? [] : ofBodies),
		...ofAll,
	]);
	return errorCodes.filter((code) => codes.has(code));
}

const ofAll = ["internal", "unavailable"] as const;
const ofKeys = ["unauthenticated", "rate_limited"] as const;
const ofOperators = ["forbidden"] as const;
const ofParameters = ["invalid_parameter"] as const;
const ofMissing = ["not_found"] as const;
const ofBodies = [
	"invalid_body",
	"request_timeout",
	"payload_too_large",
	"unsupported_media_type",
] as const;

export function requireFound<Found>(
	found: Found | undefined,
	missing: string,
): Found {
	if (found !== undefined) return found;
	throw new Failure("not_found", missing);
}
