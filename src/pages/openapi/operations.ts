// The operations of an OpenAPI document: their parameters, their bodies and their replies.
import { readShape, type Shape } from "./schemas.ts";
import { follow, type Json, listAt, recordAt, textAt } from "./values.ts";

export interface Operation {
	readonly id: string;
	readonly method: string;
	/** Below the prefix of its interface. */
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	/** Whether the caller must say who it is. */
	readonly needsKey: boolean;
	readonly isDeprecated: boolean;
	/** The day from which on it may be gone, as `2030-12-05`; empty if there is none. */
	readonly sunset: string;
	readonly parameters: readonly Parameter[];
	readonly body: Body | undefined;
	readonly replies: readonly OperationReply[];
}

export interface Parameter {
	readonly name: string;
	readonly place: string;
	readonly isRequired: boolean;
	readonly isAddition: boolean;
	readonly description: string;
	readonly shape: Shape;
	/** Undefined if the document gives none. */
	readonly example: unknown;
}

export interface Body {
	readonly mediaType: string;
	readonly shape: Shape;
	readonly examples: readonly unknown[];
}

export interface OperationReply {
	readonly status: string;
	readonly isAddition: boolean;
	readonly description: string;
	readonly headers: readonly { name: string; description: string }[];
	readonly body: Body | undefined;
}

export function readOperations(document: unknown): readonly Operation[] {
	return Object.entries(recordAt(document, "paths")).flatMap(([path, item]) =>
		Object.entries(recordAt(item))
			.filter(([, operation]) => textAt(operation, "operationId") !== "")
			.map(([method, operation]) =>
				readOperation(document, method.toUpperCase(), path, operation),
			),
	);
}

function readOperation(
	document: unknown,
	method: string,
	path: string,
	operation: unknown,
): Operation {
	return {
		id: textAt(operation, "operationId"),
		method,
		path,
		summary: textAt(operation, "summary"),
		description: textAt(operation, "description"),
		needsKey: !isEmptyList(recordAt(operation).security),
		isDeprecated: recordAt(operation).deprecated === true,
		sunset: textAt(operation, "x-deprecated-sunset"),
		parameters: listAt(operation, "parameters").map((parameter) =>
			readParameter(document, follow(document, parameter)),
		),
		body: readBody(
			document,
			follow(document, recordAt(operation, "requestBody")),
		),
		replies: Object.entries(recordAt(operation, "responses")).map(
			([status, reply]) => readReply(document, status, follow(document, reply)),
		),
	};
}

function readParameter(document: unknown, parameter: Json): Parameter {
	const shape = readShape(document, parameter.schema);
	return {
		name: textAt(parameter, "name"),
		place: textAt(parameter, "in"),
		isRequired: parameter.required === true,
		isAddition: isAddition(parameter),
		description: textAt(parameter, "description") || shape.description,
		shape,
		example: readExamples(document, parameter)[0],
	};
}

function readBody(document: unknown, holder: Json): Body | undefined {
	const [first] = Object.entries(recordAt(holder, "content"));
	if (first === undefined) return undefined;
	const [mediaType, content] = first;
	return {
		mediaType,
		shape: readShape(document, recordAt(content, "schema")),
		examples: readExamples(document, recordAt(content)),
	};
}

/** Those of `examples`, else that of `example`. */
function readExamples(document: unknown, holder: Json): readonly unknown[] {
	const several = Object.values(recordAt(holder, "examples"));
	if (several.length > 0)
		return several.map((one) => follow(document, one).value);
	return holder.example === undefined ? [] : [holder.example];
}

function readReply(
	document: unknown,
	status: string,
	reply: Json,
): OperationReply {
	return {
		status,
		isAddition: isAddition(reply),
		description: textAt(reply, "description"),
		headers: Object.entries(recordAt(reply, "headers")).map(
			([name, header]) => ({
				name,
				description: textAt(follow(document, header), "description"),
			}),
		),
		body: readBody(document, reply),
	};
}

function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

/** Whether it is marked as a promise beyond the interface document. */
function isAddition(part: Json): boolean {
	return part["x-addition"] === true;
}
