// A chapter of the reference: one interface with its operations.
import {
	type Content,
	mark,
	toParameters,
	toReplies,
	toRequestContent,
} from "../../interface/messages.ts";
import { type Interface, operationsIn } from "../../interface/operation.ts";

export type Chapter = ReturnType<typeof toChapter>;
export type ShownOperation = Chapter["operations"][number];
export type Parameter = ShownOperation["parameters"][number];
export type ShownReply = ShownOperation["replies"][number];

export function toChapter(described: Interface) {
	const { prefix, error, marksAdditions } = described;
	const withMark = <Of extends { readonly [mark]?: true }>(part: Of) => ({
		...part,
		isAddition: marksAdditions && part[mark] === true,
	});
	const operations = operationsIn(described).map(({ id, operation }) => ({
		...operation,
		...{ id, prefix },
		parameters: toParameters(operation).map(withMark),
		body: toBody(toRequestContent(operation)),
		replies: toReplies(operation, error).map((reply) => ({
			...withMark(reply),
			body: toBody(reply.content),
		})),
	}));
	return {
		...described,
		/** Of its OpenAPI document. */
		path: prefix.replace("v1", "openapi.json"),
		operations,
	};
}

/** Its first media type suffices for people. */
function toBody(content: Content) {
	const [first] = Object.entries(content);
	return first && { mediaType: first[0], ...first[1] };
}
