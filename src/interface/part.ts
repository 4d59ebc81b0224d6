// The documents' view of operations: their records, and the schemas that their types name.
import {
	type Operation as DescribedOperation,
	type Part,
	toOperation,
} from "../contract/operation.ts";
import type { Parameter } from "../contract/parameter.ts";
import {
	type Schema as DocumentSchema,
	toDocumentSchema,
	toName,
} from "../contract/schemas.ts";
import type { Members, Type } from "../domain/type.ts";
import {
	type Described,
	type DescribedResource,
	toStatus,
} from "./operation.ts";

export function toPart({
	tag,
	description,
	operations,
}: DescribedResource): Part {
	const schemas: Record<string, DocumentSchema> = {};
	return {
		tags: { [tag]: description },
		operations: Object.fromEntries(
			Object.entries(operations).map(([id, operation]) => [
				id,
				toDescribed(tag, operation, schemas),
			]),
		),
		schemas,
	};
}

function toDescribed(
	tag: string,
	operation: Described,
	schemas: Record<string, DocumentSchema>,
): DescribedOperation {
	const { params = {}, query = {}, body, reply, missing, ...rest } = operation;
	const { errors = [], headers = [], located, example = {} } = rest;
	const { additions = [], fileReply = {} } = rest;
	const [file] = Object.values(fileReply);
	const isChecked =
		Object.keys(query).length > 0 ||
		(Object.keys(params).length > 0 && missing === undefined);
	const nameOf = (type: Type | undefined) =>
		type === undefined ? {} : { body: toName(type.schema, schemas) };
	return toOperation({
		...rest,
		tag,
		pathParameters: Object.fromEntries(
			toParameters(params, schemas).map((one) => [one.name, one]),
		),
		query: toParameters(query, schemas).map((one) => ({
			...one,
			addition: additions.includes(one.name),
		})),
		...nameOf(body),
		example: example.body,
		success: {
			description: reply?.schema.description ?? file ?? "Done.",
			...nameOf(reply),
			example: example.reply,
			status: toStatus(operation),
			headers,
			...(located !== undefined && { located }),
			otherBodies: Object.fromEntries(
				Object.entries(fileReply).map(([mediaType, description]) => [
					mediaType,
					{
						type: "string",
						...(!/text|json/.test(mediaType) && { format: "binary" }),
						description,
					},
				]),
			),
		},
		errors: [
			...errors,
			...(isChecked ? (["invalid_parameter"] as const) : []),
			...(missing === undefined ? [] : (["not_found"] as const)),
		],
	});
}

function toParameters(
	members: Members,
	schemas: Record<string, DocumentSchema>,
): readonly Parameter<unknown>[] {
	return Object.entries(members).map(([name, { schema, example }]) => {
		const { description: _, ...rest } = toDocumentSchema(schema, schemas);
		return {
			name,
			description: schema.description ?? "",
			schema: rest,
			...(example !== undefined && { example }),
			read: () => undefined,
		};
	});
}
