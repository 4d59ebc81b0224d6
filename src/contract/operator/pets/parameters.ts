// The parameters of the operations on animals in the operator interface.
import { fileFormats } from "../../file-format.ts";
import { oneOf, text, wholeInt64 } from "../../parameter.ts";

export const categoryId = wholeInt64({
	name: "categoryId",
	description: "Finds the animals of this category.",
});

export const name = text({
	name: "name",
	description:
		"Finds animals whose name contains this text. Upper and lower case do not matter.",
	addition: false,
});

export const cursor = text({
	name: "cursor",
	description:
		"Where to go on: the `next` of an earlier reply, for use with the same `status`, `categoryId` and `name`.",
	pattern: "^[A-Za-z0-9_-]+$",
	addition: false,
});

export const format = oneOf({
	name: "format",
	description: "The format of the file; NDJSON if absent.",
	values: fileFormats,
	schema: { type: "string", enum: fileFormats, default: "ndjson" },
	example: "csv",
});
