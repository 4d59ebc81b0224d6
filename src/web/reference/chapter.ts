// A chapter of the reference: one interface with its served operations.
import { toParameters } from "../../contract/openapi/parameters.ts";
import {
	type DescribedReply,
	jsonContent,
	mark,
	toResponses,
} from "../../contract/openapi/responses.ts";
import type { Interface, Operation } from "../../contract/operation.ts";
import { errorStatus } from "../../domain/errors.ts";
import type { ServedInterface } from "../layout.ts";
import { toShape } from "./shape.ts";

export type Chapter = ReturnType<typeof toChapter>;
export type ShownOperation = ReturnType<typeof toShown>;
export type Parameter = ShownOperation["parameters"][number];
export type ShownReply = ShownOperation["replies"][number];

export function toChapter(served: ServedInterface) {
	const { described, path } = served;
	const schemas = Object.entries(described.schemas).map(([name, schema]) => ({
		name,
		shape: toShape(schema, described.schemas),
	}));
	return { ...described, path, schemas, operations: toOperations(served) };
}

/** Operations of one path follow each other. */
export function toOperations(
	served: ServedInterface,
): readonly ShownOperation[] {
	const { described } = served;
	const all = Object.entries(described.operations).map(([id, operation]) =>
		toShown(id, operation, described),
	);
	return [...Map.groupBy(all, ({ path }) => path).values()].flat();
}

function toShown(
	id: string,
	{ body, ...operation }: Operation,
	{ prefix, schemas, marksAdditions }: Interface,
) {
	const isAddition = (part: { readonly [mark]?: boolean }) =>
		marksAdditions && part[mark] === true;
	const toBody = (content: DescribedReply["content"] = {}) =>
		Object.entries(content).map(([mediaType, { schema, example }]) => ({
			mediaType,
			shape: toShape(schema, schemas),
			example,
		}))[0];
	return {
		...operation,
		id,
		prefix,
		parameters: toParameters(operation).map((parameter) => ({
			...parameter,
			place: parameter.in,
			isRequired: parameter.required === true,
			isAddition: isAddition(parameter),
			shape: toShape(parameter.schema, schemas),
		})),
		body:
			body === undefined
				? undefined
				: toBody(jsonContent(body, operation.example)),
		replies: Object.entries(toResponses(operation)).map(([status, reply]) => ({
			status,
			isAddition: isAddition(reply),
			description: reply.description,
			headers: Object.entries(reply.headers),
			codes: operation.errors.filter(
				(code) => String(errorStatus[code]) === status,
			),
			body: toBody(reply.content),
		})),
	};
}
