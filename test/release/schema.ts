// The JSON schema of CycloneDX 1.6, as the project publishes it.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { root } from "../../harness/process.ts";

/** Returns the errors of the document; none if it is valid. */
export function schemaErrors(document: unknown): string[] {
	isValid(document);
	return (isValid.errors ?? []).map(
		({ instancePath, message }) => `${instancePath} ${message}`,
	);
}

const address = "http://cyclonedx.org/schema/";
const isValid = new Ajv({
	allErrors: true,
	// The schema has annotations that JSON Schema does not define.
	strict: false,
	// Ajv defines no formats.
	formats: {
		"date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
		"iri-reference": /^\S*$/,
		"idn-email": /^\S+@\S+$/,
		uri: /^[a-z]+:\S+$/,
	},
})
	.addSchema(read("spdx"), `${address}spdx.SNAPSHOT.schema.json`)
	.addSchema(read("jsf-0.82"), `${address}jsf-0.82.SNAPSHOT.schema.json`)
	.compile(read("bom-1.6"));

function read(name: string): Record<string, unknown> {
	const folder = `${root}node_modules/@cyclonedx/cyclonedx-library/res/schema`;
	return JSON.parse(
		readFileSync(`${folder}/${name}.SNAPSHOT.schema.json`, "utf8"),
	);
}
