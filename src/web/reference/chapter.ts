// A chapter of the reference: one interface with its operations.
import {
	type Content,
	mark,
	toParameters,
	toReplies,
	toRequestContent,
} from "../../interface/messages.ts";
import { toSchemas } from "../../interface/openapi.ts";
import {
	type Described,
	type Interface,
	operationsIn,
	toErrors,
} from "../../interface/operation.ts";
import type { ServedInterface } from "../layout.ts";
import { toShape } from "./shape.ts";

export type Chapter = ReturnType<typeof toChapter>;
export type ShownOperation = ReturnType<typeof toShown>;
export type Parameter = ShownOperation["parameters"][number];
export type ShownReply = ShownOperation["replies"][number];

export function toChapter({ described, path }: ServedInterface) {
	const schemas = Object.entries(toSchemas(described)).map(
		([name, schema]) => ({ name, shape: toShape(schema) }),
	);
	return { ...described, path, schemas, operations: toOperations(described) };
}

/** Operations of one path follow each other. */
function toOperations(described: Interface): readonly ShownOperation[] {
	const all = operationsIn(described).map(({ id, operation }) =>
		toShown(id, operation, described),
	);
	return [...Map.groupBy(all, ({ path }) => path).values()].flat();
}

function toShown(
	id: string,
	operation: Described,
	{ prefix, error, marksAdditions }: Interface,
) {
	const { method, path, scope, summary, description, deprecation } = operation;
	const isAddition = (part: { readonly [mark]?: true }) =>
		marksAdditions && part[mark] === true;
	return {
		...{ id, prefix, method, path, scope, summary, description, deprecation },
		errors: toErrors(operation),
		parameters: toParameters(operation).map((parameter) => ({
			...parameter,
			place: parameter.in,
			isRequired: parameter.required === true,
			isAddition: isAddition(parameter),
			shape: toShape(parameter.schema),
		})),
		body: toBody(toRequestContent(operation)),
		replies: toReplies(operation, error).map((reply) => ({
			...reply,
			isAddition: isAddition(reply),
			headers: Object.entries(reply.headers),
			body: toBody(reply.content),
		})),
	};
}

/** Its first media type suffices for people. */
function toBody(content: Content) {
	const [first] = Object.entries(content);
	if (first === undefined) return undefined;
	const [mediaType, { schema, example }] = first;
	return { mediaType, shape: toShape(schema), example };
}
